/**
 * A set-up or a check that fails with an agent's work, and now also on the base where it passed before, fails because of
 * this machine: a service is down, a program is gone, the network is away. The task is not to blame.
 */
import { command, sentence } from '../../core/sentence.ts'
import { firstLine } from '../../core/text/first-line.ts'
import { UserError } from '../../core/user-error.ts'
import type { RunResult } from '../../engine/phase/run-plan.ts'
import { noteBase, wasGreen } from '../../landing/base-checks.ts'
import { landBase } from '../../landing/land-base.ts'
import type { TaskRun } from '../../runs/open-task-run.ts'
import { stopWith } from '../machine-fault.ts'
import type { BaseRed } from '../work-report.ts'
import type { WorkSession } from '../work-session.ts'

/** The result of the run. If the machine is to blame, the run counts as interrupted and the session stops. */
export async function unlessFailingOnBase(session: WorkSession, run: TaskRun, result: RunResult): Promise<RunResult> {
  const { slot } = run.context
  if (!mayBeMachines(session, result) || slot.cancel.aborted) return result
  const red = await slot.yieldWhile(() => recheck(session))
  if (red === null) return result
  const fault = faultOf(red, result)
  stopWith(session, fault)
  const detail = `this machine: ${fault.message}`
  return { ...result, end: { ...result.end, outcome: 'interrupted', reason: 'interrupted', detail } }
}

/**
 * Where the base was never green, nothing shows that the machine has changed. A set-up without a check is different: the
 * base is what it fails on.
 */
function mayBeMachines({ ws, config, options, slots }: WorkSession, { end, failedOnTree }: RunResult): boolean {
  const isSetUp = end.reason === 'setup-failed'
  if (!(isSetUp || failedOnTree) || options.baseCheck === false || slots.fault !== null) return false
  return (isSetUp && config.verify.command === null) || wasGreen(ws, config, landBase(ws).tip)
}

async function recheck({ ws, config, services }: WorkSession): Promise<BaseRed | null> {
  try {
    const found = await services.base.recheck()
    // The inbox has the machine's fault instead. The next work checks the base first.
    if (found?.red) noteBase(ws, config, { name: found.red.base, tip: found.commit }, null)
    return found?.red ?? null
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

function faultOf({ base, detail, run, in_box }: BaseRed, { end }: RunResult): UserError {
  const what = end.reason === 'setup-failed' ? 'The set-up' : 'The check'
  return new UserError(
    'CHECK_FAILS_ON_BASE',
    `${what} now fails on ${base} too, without any work: ${firstLine(detail)}`,
    {
      hint: in_box
        ? sentence`It passes there outside of a box. After this, ${command`work --all`} continues: ${in_box.advice}`
        : sentence`Run it in a checkout of ${base} to see why: ${run}. Then ${command`work --all`} continues.`,
    },
  )
}
