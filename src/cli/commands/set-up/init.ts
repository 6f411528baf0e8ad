import { initRepo } from '../../../workspace/init-repo.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderInit } from '../../render/set-up/set-up.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function init(this: Face, flags: GlobalFlags): Promise<void> {
  const result = await inWorkspace(this, flags, (ws) => initRepo(ws), { spansLedgers: true })
  printResult(this, flags, result, renderInit(result))
}
