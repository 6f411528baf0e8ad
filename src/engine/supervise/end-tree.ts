import type { ProcessEntry } from '../../platform/processes/process-entry.ts'
import { signalGroup, signalProcess } from '../../platform/processes/process-table.ts'
import { keyOf } from './owned-processes.ts'
import type { RunTree } from './run-tree.ts'

/** An unkillable process (of another user, or stuck in a device) must not block the supervisor forever. */
const KILLING_MS = 10_000

/** Ends every process of a run: with TERM first, with KILL after `graceMs`. Returns how many are left. */
export async function endTree(tree: RunTree, graceMs: number): Promise<number> {
  return killUntilGone(tree, await askToEnd(tree, graceMs))
}

/**
 * Each process gets one TERM: clients treat a second one as "quit at once" and leave their children behind. What a
 * client starts to clean up is left alone. An orphan that appears later gets a TERM too. The processes that hold a box
 * get none, and end by themselves with what is inside.
 */
async function askToEnd(tree: RunTree, graceMs: number): Promise<ProcessEntry[]> {
  const until = performance.now() + graceMs
  let left = tree.look()
  const asked = new Set(left.map(keyOf))
  terminate(left, tree)
  for (let pause = 5; left.length > 0 && performance.now() < until; pause = Math.min(pause * 2, 100)) {
    await Bun.sleep(Math.min(pause, until - performance.now()))
    left = tree.look()
    for (const orphan of orphansOf(left, tree).filter((entry) => !asked.has(keyOf(entry)))) {
      asked.add(keyOf(orphan))
      signalProcess(orphan, 'SIGTERM')
    }
  }
  return left
}

function terminate(entries: readonly ProcessEntry[], { root, isHolder }: RunTree): void {
  const signalled = entries.filter((entry) => !isHolder(entry))
  const group = entries.some(isHolder) ? undefined : root?.pid
  const inGroup = signalled.filter((entry) => entry.group === group)
  if (group !== undefined && inGroup.length > 0) signalGroup(group, 'SIGTERM')
  for (const entry of signalled) if (!inGroup.includes(entry)) signalProcess(entry, 'SIGTERM')
}

/** Those whose parents are gone. In a box the child of its pid 1 is one, or the program itself, just started. */
function orphansOf(entries: readonly ProcessEntry[], { isHolder }: RunTree): ProcessEntry[] {
  const parents = new Set(entries.filter((entry) => !isHolder(entry)).map(({ pid }) => pid))
  return entries.filter((entry) => !parents.has(entry.parent) && !isHolder(entry))
}

/**
 * Done after two empty looks in a row: during one look, a process may start behind the scan while its parent dies
 * before the scan reaches it. A dead process counts as found: it may have started a child that the look missed. In a box
 * one look is enough: the kernel ends all its processes before its first one is gone.
 */
async function killUntilGone(tree: RunTree, atLastLook: readonly ProcessEntry[]): Promise<number> {
  const until = performance.now() + KILLING_MS
  const looks = tree.isEnclosed ? 1 : 2
  let left = atLastLook
  for (let clean = 0; ; left = tree.look()) {
    clean = tree.isStill() ? clean + 1 : 0
    if (clean === looks) return 0
    if (performance.now() > until) return Math.max(1, left.length)
    for (const entry of left) signalProcess(entry, 'SIGKILL')
    // Short: a process that keeps forking must be caught before it forks again.
    if (clean === 0) await Bun.sleep(1)
  }
}
