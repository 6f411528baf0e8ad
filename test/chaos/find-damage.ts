import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Task } from '../../src/core/task/task.ts'
import { openLeases } from '../runs/crash-recovery/crash-repo.ts'
import { exportedTasks, linesOf } from '../support/ledger-answers.ts'
import { treeOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import type { PersonsWork } from './person.ts'
import { FOR_PERSON, type StormRepo } from './storm-repo.ts'

/** Everything that is not as it must be once all is quiet, by promise. */
export function findDamage(storm: StormRepo, work: PersonsWork): Record<string, string[]> {
  const { main, second } = storm
  const found = {
    lost: [...[main, second].flatMap((clone) => lostTasks(storm, clone)), ...lostWork(storm)],
    twice: [...doneTwice(storm), ...storm.overlaps()],
    "the person's": touched(storm, work),
    'red base': redCommits(main),
    processes: main.survivors(),
    worktrees: main.worktrees(),
    boxes: leftOfBoxes(main),
    leases: [main, second].flatMap(openLeases),
    'ledgers differ': treeOf(main) === treeOf(second) ? [] : [treeOf(main), treeOf(second)],
    verify: [main, second].flatMap((clone) => (clone.gza('verify').code === 0 ? [] : [clone.gza('verify').stderr])),
  }
  return Object.fromEntries(Object.entries(found).filter(([, each]) => each.length > 0))
}

/** What a run in a box has beside its worktree: mounts, its private git folder, the socket of its broker, refs. */
function leftOfBoxes(main: StormRepo['main']): string[] {
  const state = join(main.env.HOME ?? '', '.local/state/gza')
  const below = (name: string): string[] =>
    existsSync(join(state, name)) ? readdirSync(join(state, name), { recursive: true, encoding: 'utf8' }) : []
  const mounts = linesOf(readFileSync('/proc/self/mountinfo', 'utf8')).filter((line) => line.includes(main.beside('')))
  return [
    ...mounts,
    ...below('private').filter((path) => path.includes('/')),
    ...below('brokers'),
    ...linesOf(main.git('for-each-ref', '--format=%(refname)', 'refs/gza/base', 'refs/gza/incoming')),
  ]
}

/** A finished task that a person has not closed has landed. */
function lostTasks({ added }: StormRepo, clone: Repo): string[] {
  const tasks = new Map(exportedTasks(clone).map((task) => [task.uid as string, task]))
  return [...added].flatMap(([uid, title]) => {
    const task = tasks.get(uid)
    if (task === undefined) return [`${title} is not in ${clone.dir}`]
    return task.status === 'completed' ? [] : [`${title} is ${task.status}`]
  })
}

function lostWork(storm: StormRepo): string[] {
  return forAgents(storm).flatMap((task) => {
    const { content, landings } = task
    const commits = landings.filter(({ outcome }) => outcome === 'landed').flatMap((landed) => landed.commits ?? [])
    if (commits.length === 0) return [`${content} has not landed: ${JSON.stringify(task)}`]
    return commits.filter((commit) => !isIn(storm.main, commit, 'main')).map((commit) => `${commit} of ${content}`)
  })
}

/** Work that was sent back is finished once more, and lands once all the same. */
function doneTwice(storm: StormRepo): string[] {
  const markers = addedMarkers(storm.main)
  return forAgents(storm).flatMap(({ content, runs, landings }) => {
    const finished = runs.filter(({ outcome }) => outcome === 'completed').length
    const landed = landings.filter(({ outcome }) => outcome === 'landed').length
    const added = markers.filter((title) => title === content).length
    const isOnce = landed === 1 && added === 1 && finished <= 1 + landings.length - landed
    return isOnce ? [] : [`${content}: ${finished} finished runs, ${landings.length} landings, ${added} markers`]
  })
}

/**
 * The titles of the tasks whose marker was added, once for each commit of the task itself that adds it. An agent that was
 * killed while it merged the base leaves the work of others in its worktree, and the commit that keeps what it left has
 * their markers too: that is not their work done again.
 */
function addedMarkers(main: Repo): string[] {
  const options = ['--full-history', '--no-merges', '--diff-filter=A', '--name-only', '--format=%x00%s']
  const commits = main.git('log', ...options, 'main', '--', 'done').split('\0')
  return commits.flatMap((text) => {
    const [subject = '', ...paths] = linesOf(text)
    const titles = paths.map((path) => path.slice('done/'.length))
    return titles.filter((title) => new RegExp(`^(WIP: )?${title}\\b`).test(subject))
  })
}

function forAgents({ main }: StormRepo): Task[] {
  return exportedTasks(main).filter(({ content }) => !content.startsWith(FOR_PERSON))
}

function touched({ main }: StormRepo, work: PersonsWork): string[] {
  const lost = work.commits.filter((commit) => !isIn(main, commit, 'main')).map((commit) => `commit ${commit}`)
  const moved = [...work.branches].filter(([name, commit]) => main.git('rev-parse', `refs/heads/${name}`) !== commit)
  const stashes = linesOf(main.git('stash', 'list', '--format=%H'))
  const isSame = stashes.toReversed().join() === work.stashes.join()
  const files = [...work.untracked].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
  const changed = linesOf(main.git('status', '--porcelain')).filter((line) => !line.startsWith('?? untracked-'))
  return [
    ...work.lost,
    ...lost,
    ...moved.map(([name]) => `branch ${name}`),
    ...(isSame ? [] : [`stashes ${stashes}, not ${work.stashes}`]),
    ...files.map(([path]) => path),
    ...changed.map((line) => `checkout: ${line}`),
  ]
}

function redCommits(main: Repo): string[] {
  return linesOf(main.git('rev-list', '--first-parent', 'main')).filter((commit) => {
    const place = mkdtempSync(join(tmpdir(), 'gza-check-'))
    const check = 'git archive "$1" | tar -x -C "$2" && cd "$2" && sh check.sh'
    const { code } = main.run(['sh', '-c', check, 'check', commit, place])
    rmSync(place, { recursive: true })
    return code !== 0
  })
}

function isIn(repo: Repo, commit: string, branch: string): boolean {
  return repo.run(['git', 'merge-base', '--is-ancestor', commit, branch]).code === 0
}
