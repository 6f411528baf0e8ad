import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NOT_ISOLATED } from '../src/engine/isolation/agent-box/run-level.ts'
import { chooseTasks } from '../src/scheduler/choose/choose-tasks.ts'
import { openWorkSession } from '../src/scheduler/open-work-session.ts'
import type { WorkSession } from '../src/scheduler/work-session.ts'
import { loadConfiguration } from '../src/workspace/config/configuration.ts'
import { useWorkspace } from '../src/workspace/workspace.ts'
import { makeRepo, type Place } from './place.ts'
import { runQuietly, timeOnce } from './probe.ts'
import { measured, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { times } from './table.ts'

const SLOTS = 8
const MOST = 15

/**
 * What a work session does before it starts tasks in eight free slots: reads the ledger and takes the first eight that
 * are ready and touch no common file. All tasks are open; half of them depend on others, and each names a file that a
 * hundred others name too. Timed inside a process, from source: the executable has no command that does only this.
 */
export async function measureSelection(place: Place, tasks: number, rounds: number): Promise<Row> {
  const dir = makeGraph(place, tasks)
  const rows = await useWorkspace({ cwd: dir, env: place.env, branch: undefined, runsOnce: true }, async (ws) => {
    const watcher = { events: NO_EVENTS, stop: new AbortController().signal, cancel: new AbortController().signal }
    const config = await loadConfiguration(ws)
    const session = openWorkSession({ ws, config, options: { refs: [], all: true }, watcher, isolation: NOT_ISOLATED })
    timeChoice(session)
    const git = { argv: ['git', 'rev-parse', 'HEAD'], cwd: dir, env: place.env }
    return Array.from({ length: rounds }, () => ({ choice: timeChoice(session), git: timeOnce(git) }))
  })
  const took = rows.map(({ choice }) => choice)
  const ratio = summarize(took).median / summarize(rows.map(({ git }) => git)).median
  const judged = { ratio: `${times(ratio)} git`, target: `≤ ${MOST} × git`, reached: ratio <= MOST }
  return { what: `selection for ${SLOTS} slots, in the process`, tasks, ...measured(took), ...judged }
}

const NO_EVENTS = {
  started() {},
  progress() {},
  reviewMoved() {},
  ended() {},
  reported() {},
  landed() {},
  returned() {},
  waiting() {},
}

function timeChoice(session: WorkSession): number {
  const start = performance.now()
  const chosen = Iterator.from(chooseTasks(session).tasks).take(SLOTS).toArray()
  const elapsed = performance.now() - start
  if (chosen.length !== SLOTS) throw new Error(`${SLOTS} tasks should be chosen, and ${chosen.length} are`)
  // As if a second had passed: then it reads again what running tasks have changed.
  session.slots.busyFiles = { at: Number.NEGATIVE_INFINITY, files: [] }
  return elapsed
}

function makeGraph(place: Place, tasks: number): string {
  const dir = makeRepo(place, `graph-${tasks}`)
  const lines = Array.from({ length: tasks }, (_, index) =>
    JSON.stringify({
      id: `t${index}`,
      content: `Task ${index}: let a module handle a case of the protocol, and say so in its manual`,
      files_to_modify: [`src/module-${index % 100}.ts`],
      // Half of them are in chains of four.
      ...(index % 2 === 1 && { after: `t${index % 8 === 1 ? index - 1 : index - 2}` }),
    }),
  )
  const file = join(place.root, 'graph.jsonl')
  writeFileSync(file, `${lines.join('\n')}\n`)
  runQuietly({ argv: [place.gza, 'import', file], cwd: dir, env: place.env })
  return dir
}
