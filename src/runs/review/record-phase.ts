import { basename } from 'node:path'
import { canonical } from '../../core/ledger/canonical.ts'
import { recordPhase } from '../../core/task/operations.ts'
import type { Phase, Run } from '../../core/task/task.ts'
import type { RunPlan } from '../../engine/phase/run-plan.ts'
import { leaseLost } from '../../engine/phase/run-recorder.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { leaseOf } from '../../state/live/leases.ts'
import { isPhaseVouched, liveRun, vouchForPhase } from '../../state/live/live-runs.ts'
import { changeLedger, type Decision } from '../../workspace/ledger/change-ledger.ts'
import { writeCopy } from '../../workspace/texts/copies.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'
import { asRunner } from '../record-run.ts'

/**
 * Writes a finished phase and its text to the ledger, then the copy for people. Returns why the phase does not count,
 * or null. A phase in the ledger that no worker wrote was forged by an agent. The local record is written first,
 * otherwise the phase would look forged.
 */
export function recordPhaseEnd(
  ws: Workspace,
  plan: RunPlan,
  known: readonly Phase[],
  phase: Phase,
  text: string | null,
) {
  vouchForPhase(liveOf(ws), phase.run, canonical(phase))
  const whyNot = changeLedger(asRunner(ws, plan), (view): Decision<string | null> => {
    const { run, task: planned } = plan.subject
    const lease = leaseOf(liveOf(ws), planned.uid)
    const task = taskOf(view.ws.state, view.row.lid, planned.uid)
    if (task === null || lease?.run !== run || lease.released_at !== null) throw leaseLost(plan)
    const forged = unknownPhase(task.phases, [...planned.phases, ...known])
    if (forged) return { tasks: [], subject: '', result: `a phase was forged: ${forged.phase} ${forged.cycle}` }
    const path = `artifacts/${task.uid}/${basename(String(phase.artifact))}`
    return {
      tasks: [recordPhase(task, phase)],
      subject: `${phase.phase} ${task.id}${phase.cycle === 0 ? '' : ` cycle ${phase.cycle}`}${saying(phase)}`,
      result: null,
      ...(text !== null && { artifacts: new Map([[path, text]]) }),
    }
  })
  if (whyNot === null && text !== null && typeof phase.artifact === 'string') writeCopy(ws, phase.artifact, text)
  return whyNot
}

/** Whether a worker of this machine has written the phase. */
export function isVouchedPhase({ live }: Workspace, phase: Phase): boolean {
  return live !== null && isPhaseVouched(live, phase.run, canonical(phase))
}

/** The same for a whole run of a task. */
export function isVouchedRun({ live }: Workspace, uid: string, { run, outcome }: Run): boolean {
  const known = live === null ? null : liveRun(live, run)
  return known?.uid === uid && known.outcome === outcome
}

function saying({ verdict }: Phase): string {
  return verdict === undefined ? '' : ` ${verdict}`
}

function unknownPhase(found: readonly Phase[], known: readonly Phase[]): Phase | undefined {
  const expected = new Set(known.map(canonical))
  return found.find((phase) => !expected.has(canonical(phase)))
}
