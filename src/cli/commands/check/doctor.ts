import { diagnose } from '../../../reports/diagnose.ts'
import { renderFindings } from '../../render/set-up/set-up.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function doctor(this: Face, flags: GlobalFlags): Promise<void> {
  const findings = await diagnose({ cwd: this.cwd, env: this.env, branch: flags.branch })
  printResult(this, flags, findings, renderFindings(findings, this.display))
  if (findings.some(({ state }) => state === 'fail')) this.exitCode = 1
}
