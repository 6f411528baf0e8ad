import { initRepo } from '../../app/init-repo.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderInit } from '../render/set-up.ts'

export default async function init(this: Face, flags: GlobalFlags): Promise<void> {
  const result = await inWorkspace(this, flags, (ws) => initRepo(ws), { spansLedgers: true })
  printResult(this, flags, result, renderInit(result))
}
