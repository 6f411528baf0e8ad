/**
 * Ends a run whose worker is gone. A worker writes to it every second. It must not depend on the worker, so it is a
 * process of its own: a takeover never overlaps with a living agent.
 */
import { endTree } from '../engine/supervise/end-tree.ts'
import { type RunTree, watchTree } from '../engine/supervise/run-tree.ts'
import { findProcess } from '../platform/processes/process-table.ts'
import { becomeSubreaper } from '../platform/processes/subreaper.ts'
import { standardInput } from '../platform/terminal/standard-input.ts'

/** A worker that is silent for so long is stopped or hangs. Its claim lapses after 10 s. */
const SILENCE_MS = 6000
const GRACE_MS = 2000
const LOOK_MS = 500

/** What a worker tells it, one word on a line. An empty line is a sign of life. */
export const WATCHDOG = { done: 'done', end: 'end', run: 'run ' } as const

type Fate = 'done' | 'gone' | 'silent'

/** Returns when the run needs no watching any more, or when no process of it is left. */
export async function watchRun(pid: number): Promise<Fate> {
  const root = findProcess(pid)
  if (root === null) return 'done'
  await becomeSubreaper()
  const trees = new Map<string, RunTree>([['', watchTree(`process ${pid}`, root)]])
  const fate = await waitForFate(trees)
  if (fate === 'done') return fate
  await Promise.all([...trees.values()].map((tree) => endTree(tree, fate === 'silent' ? 0 : GRACE_MS)))
  return fate
}

async function waitForFate(trees: Map<string, RunTree>): Promise<Fate> {
  let lastSign = performance.now()
  const { promise: decided, resolve } = Promise.withResolvers<Fate>()
  const looking = setInterval(() => {
    // What is seen once is remembered, also when its parent is gone.
    for (const tree of trees.values()) tree.look()
    if (performance.now() - lastSign > SILENCE_MS) resolve('silent')
  }, LOOK_MS)
  const reading = (async () => {
    let rest = ''
    for await (const bytes of standardInput()) {
      lastSign = performance.now()
      const lines = (rest + new TextDecoder().decode(bytes)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line === WATCHDOG.done) return resolve('done')
        if (line === WATCHDOG.end) return resolve('gone')
        const run = line.startsWith(WATCHDOG.run) ? line.slice(WATCHDOG.run.length) : ''
        if (run !== '') trees.set(run, watchTree(run, null))
      }
    }
    resolve('gone')
  })()
  const fate = await decided
  clearInterval(looking)
  reading.catch(() => {})
  return fate
}
