import { closeDeadWindows } from '../../engine/guard/guard-window.ts'
import type { RunCommits, Surroundings } from '../../engine/guard/refs/changed-refs.ts'
import { removeDeadBrokers } from '../../engine/isolation/broker/broker-folder.ts'
import { commitsBetween } from '../../engine/worktree/commit-history.ts'
import { readRefsIn } from '../../platform/git/ref-files.ts'
import { branchedTasks } from '../../state/index/find-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { basesInLanding, leasesByLife } from '../../state/live/leases.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'

/** What the guard needs to know about other runs, outside of a run's own phases. */
export function guardSurroundings(ws: Workspace): Omit<Surroundings, 'own'> {
  return {
    ledger: ws.ledger,
    recorded: () => leasesByLife(liveOf(ws), ws.now()).held.flatMap(({ branch }) => branch ?? []),
    landing: () => basesInLanding(liveOf(ws)),
    ...runCommits(ws),
  }
}

export function runCommits(ws: Workspace): RunCommits {
  return {
    unlanded: (except) => unlandedCommits(ws, except),
    running: (except) => new Set(runningCommits(ws, except)),
    landed: (branch) => landedTips(ws, branch),
  }
}

/**
 * Puts back what agents planted whose gza was killed, reports the refs that changed meanwhile, and removes the sockets
 * through which they called gza.
 */
export function closeWindowsAfterCrash(ws: Workspace, run?: string): void {
  const { repo, now } = ws
  removeDeadBrokers(ws.env)
  closeDeadWindows({ repo, now, live: liveOf(ws), ...guardSurroundings(ws) }, run)
}

/**
 * The commits of finished and running tasks that have not landed: they belong into no branch but their own. `except`:
 * without those of the tasks on this branch.
 */
function unlandedCommits(ws: Workspace, except?: string): ReadonlySet<string> {
  const { row } = readLedger(ws)
  const others = branchedTasks(ws.state, row.lid).filter(({ branch }) => branch !== except)
  const tasks = others.flatMap(({ uid }) => taskOf(ws.state, row.lid, uid) ?? [])
  const isLanded = ({ landings }: (typeof tasks)[number]) => landings.some(({ outcome }) => outcome === 'landed')
  const landed = new Set(tasks.filter(isLanded).flatMap(({ commits }) => commits))
  const finished = tasks.filter((task) => !isLanded(task)).flatMap(({ commits }) => commits)
  return new Set([...finished, ...runningCommits(ws, except)].filter((commit) => !landed.has(commit)))
}

function landedTips(ws: Workspace, name: string): ReadonlySet<string> {
  const { row } = readLedger(ws)
  const there = branchedTasks(ws.state, row.lid).filter(({ branch }) => branch === name)
  const tasks = there.flatMap(({ uid }) => taskOf(ws.state, row.lid, uid) ?? [])
  const landings = tasks.flatMap((task) => task.landings).filter(({ outcome }) => outcome === 'landed')
  return new Set(landings.flatMap(({ head, rebased }) => [head, typeof rebased === 'string' ? rebased : head]))
}

function runningCommits(ws: Workspace, except?: string): string[] {
  const held = leasesByLife(liveOf(ws), ws.now()).held.flatMap(({ branch, head }) =>
    branch === null || head === null || branch === except ? [] : [{ ref: `refs/heads/${branch}`, head }],
  )
  if (held.length === 0) return []
  const tips = readRefsIn(
    ws.repo,
    held.map(({ ref }) => ref),
  )
  return held.flatMap(({ ref, head }) => commitsBetween(ws.repo, head, tips.get(ref) ?? head))
}
