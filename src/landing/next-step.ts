import type { WhyNot } from '../core/landing/landable-branch.ts'
import { commandLine, sentenceText } from '../core/sentence.ts'
import { isFinished } from '../core/task/status-predicates.ts'
import { commandFor } from '../runs/watch/next-command.ts'
import { entriesOnBranch } from '../state/index/find-entries.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'

/** The command that makes a refused branch landable, if that depends on other tasks; null: there is none. */
export function nextStep(view: LedgerView, { code, needs = [] }: WhyNot, number: number): string | null {
  if (code !== 'DEPENDENCY_NOT_LANDED') return null
  const before = needs.flatMap((branch) => tasksOn(view, branch))
  const open = before.find((task) => !isFinished(task))
  if (open) return sentenceText(commandFor(view, open))
  return before.length === 0 ? null : commandLine`merge ${[...before.map((task) => task.number), number]}`
}

function tasksOn({ ws, row }: LedgerView, branch: string) {
  return entriesOnBranch(ws.state, row.lid, branch)
}
