import { sentenceText } from '../../../core/sentence.ts'
import { diagnose } from '../../../reports/doctor/diagnose.ts'
import type { Finding } from '../../../reports/doctor/finding.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { renderFindings } from '../../render/check/checks.ts'
import { printResult } from '../../terminal/print.ts'

export default async function doctor(this: CallContext, flags: GlobalFlags): Promise<void> {
  const findings = await diagnose({ cwd: this.cwd, env: this.env, branch: flags.branch })
  printResult(this, flags, findings.map(asJson), renderFindings(findings, this.display))
  if (findings.some(({ state }) => state === 'fail')) this.exitCode = 1
}

/** JSON names commands as `gza …` under both names of the program. */
function asJson(finding: Finding) {
  return { ...finding, next: finding.next === null ? null : sentenceText(finding.next) }
}
