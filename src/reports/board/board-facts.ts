import type { Column } from '../../core/drawing/board-columns.ts'
import { PRIORITIES, type Priority, type Task } from '../../core/task/task.ts'
import { readQueue } from '../../landing/read-queue.ts'
import { listRuns } from '../../runs/watch/list-and-kill.ts'
import type { BoardEntry } from '../../state/index/filtered-entries.ts'
import type { LiveRun } from '../../state/live/live-runs.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readInbox } from '../read-inbox.ts'

/** A task, its column, and the heading below which it is there. */
export interface Placed {
  row: BoardEntry
  column: Column
  section: string | null
}

/** What happens now, by the uids of its tasks, and reasons. */
export interface BoardFacts {
  runs: ReadonlyMap<string, LiveRun>
  /** By the id of the task. */
  inbox: ReadonlyMap<string, string>
  /** By the uid of the task. */
  queue: ReadonlyMap<string, { code: string; reason: string }>
}

export async function readFacts({ ws }: LedgerView): Promise<BoardFacts> {
  const inbox = (await readInbox(ws)).flatMap(({ task, code, detail }) =>
    task === null ? [] : ([[task.id, reason(code, detail)]] as const),
  )
  return {
    runs: new Map(listRuns(ws).map((run) => [run.uid, run])),
    inbox: new Map(inbox.toReversed()),
    queue: new Map((await readQueue(ws)).map(({ uid, code, detail }) => [uid, { code, reason: reason(code, detail) }])),
  }
}

/** On a card, a code is words. */
function reason(code: string, detail: string): string {
  return `${code.replaceAll('_', ' ').toLowerCase()}: ${detail}`
}

export function priorityOf({ priority }: { priority: number }): Priority {
  return PRIORITIES[priority] ?? 'medium'
}

export function lastAgent({ runs }: Pick<Task, 'runs'>): string | null {
  const agent = runs.at(-1)?.agent
  return typeof agent === 'string' ? agent : null
}
