import { diagnose } from '../../app/diagnose.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { printResult } from '../print.ts'
import { renderFindings } from '../render/set-up.ts'

export default async function doctor(this: Face, flags: GlobalFlags): Promise<void> {
  const findings = await diagnose({ cwd: this.cwd, env: this.env, branch: flags.branch })
  printResult(this, flags, findings, renderFindings(findings, this.look))
  if (findings.some(({ state }) => state === 'fail')) this.exitCode = 1
}
