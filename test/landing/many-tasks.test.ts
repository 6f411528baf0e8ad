import { expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TaskView } from '../../src/workspace/views/views.ts'
import { openLeases } from '../runs/crash-recovery/crash-repo.ts'
import { exportedTasks, linesOf, outputOf } from '../support/ledger-answers.ts'
import { aCrowd, type Crowd, titlesOf } from './conflicting-tasks.ts'

const LONG = 300_000

test(
  '60 tasks in the way of each other, 8 workers: what can land does, and the base is green at every commit',
  () => {
    const kinds = { veto: 3, mine: 2, ci: 2, seat: 21, load: 9, line: 18, lone: 2 }
    const crowd = aCrowd(mixed(titlesOf(kinds)), 24)
    for (const [title, before] of [
      ['next-1', 'ci-1'],
      ['next-2', 'seat-1'],
      ['next-3', 'line-1'],
    ] as const)
      crowd.add(title, '--based-on', numberOf(crowd, before))
    crowd.write('notes.txt', 'mine\n')
    const readme = statSync(join(crowd.dir, 'README.md')).mtimeMs
    const start = crowd.git('rev-parse', 'main')

    // Three cannot land without a person.
    expect(crowd.workAll()).toBe(1)

    const tasks = tasksOf(crowd)
    expect(tasks.length).toBe(60)
    const landed = tasks.filter(hasLanded).map(({ title }) => title)
    const reasons = Object.fromEntries(crowd.inbox().map(({ task, code }) => [task?.title, code]))
    expect(tasks.filter(({ title }) => !landed.includes(title) && reasons[title] === undefined)).toEqual([])
    expect(count(Object.values(reasons))).toEqual({
      DEPENDENCY_NOT_LANDED: 1,
      GUARDED_FILES: 2,
      LAND_CONFLICT: 1,
      LAND_RED: 2,
    })
    expect(landed.length).toBe(54)
    const refusals = tasks.flatMap(({ landings }) => landings.map(({ outcome }) => outcome))
    expect(count(refusals)).toMatchObject({ landed: 54, conflict: expect.any(Number), red: expect.any(Number) })

    expectGreenBase(crowd, start)
    expectNoWorkLost(crowd, tasks)
    expectNothingLeft(crowd)
    expect(crowd.git('symbolic-ref', '--short', 'HEAD')).toBe('main')
    expect(crowd.git('status', '--porcelain')).toBe('?? notes.txt')
    expect(readFileSync(join(crowd.dir, 'notes.txt'), 'utf8')).toBe('mine\n')
    expect(statSync(join(crowd.dir, 'README.md')).mtimeMs).toBe(readme)
  },
  LONG,
)

test(
  'the same beside a person who works on another branch, with changes of all kinds: nothing of his is touched',
  () => {
    const crowd = aCrowd(mixed(titlesOf({ seat: 7, load: 2, line: 7 })), 16)
    const start = crowd.git('rev-parse', 'main')
    crowd.git('checkout', '-q', '-b', 'desk')
    crowd.write('README.md', 'changed\n')
    crowd.write('staged.txt', 'staged\n')
    crowd.git('add', 'staged.txt')
    crowd.write('seats/seat-1', '999\n')
    const before = desk(crowd)

    expect(crowd.workAll('--branch', 'main')).toBe(0)

    expect(desk(crowd)).toEqual(before)
    const tasks = tasksOf(crowd)
    expect(tasks.filter((task) => !hasLanded(task))).toEqual([])
    expectGreenBase(crowd, start)
    expectNoWorkLost(crowd, tasks)
    expectNothingLeft(crowd)
  },
  LONG,
)

/** Kinds by turns, so that those at work at one time are not all alike; the ones that insist stay first. */
function mixed(titles: readonly string[]): string[] {
  const isFirst = (title: string) => /^(veto|mine|ci)/.test(title)
  const numberIn = (title: string) => Number(title.split('-')[1])
  const rest = titles.filter((title) => !isFirst(title)).toSorted((a, b) => numberIn(a) - numberIn(b))
  return [...titles.filter(isFirst), ...rest]
}

type Seen = ReturnType<typeof exportedTasks>[number] & { title: string }

function tasksOf(crowd: Crowd): Seen[] {
  return exportedTasks(crowd, '--branch', 'main').map((task) => ({ ...task, title: task.content.split('\n')[0] ?? '' }))
}

function numberOf(crowd: Crowd, wanted: string): string {
  const list: TaskView[] = JSON.parse(outputOf(crowd.gza('list', '--all', '--json')))
  return String(list.find(({ title }) => title === wanted)?.number)
}

function hasLanded({ landings }: Seen): boolean {
  return landings.some(({ outcome }) => outcome === 'landed')
}

function count(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** Whatever anybody could have checked out of the base at any time, and each of its commits besides. */
function expectGreenBase(crowd: Crowd, start: string): void {
  const values = linesOf(crowd.git('reflog', 'show', '--format=%H', 'main'))
  const commits = linesOf(crowd.git('rev-list', '--first-parent', 'main'))
  expect(commits.at(-1)).toBe(start)
  expect(values.filter((value) => !commits.includes(value))).toEqual([])
  expect(values.length).toBeGreaterThan(2)
  const clone = crowd.clone()
  const loop = `for commit do git checkout -q "$commit" && out=$(sh verify.sh) || echo "$commit $out"; done`
  expect(clone.run(['sh', '-c', loop, 'sh', ...commits], { timeout: LONG }).stdout).toBe('')
}

/** What agents committed is on their branches or in the base, and what landed can be found there. */
function expectNoWorkLost(crowd: Crowd, tasks: readonly Seen[]): void {
  const branches = new Map(tasks.map(({ title, branch }) => [title, branch]))
  const lost = crowd.left().filter(({ title, commit }) => {
    const holders = crowd.git('branch', '--format=%(refname:short)', '--contains', commit).split('\n')
    return !holders.includes(String(branches.get(title))) && !holders.includes('main')
  })
  expect(lost).toEqual([])
  expect(new Set(crowd.left().map(({ title }) => title)).size).toBe(tasks.length)
  const files = crowd.git('ls-tree', '-r', '--name-only', 'main').split('\n')
  const missing = tasks.filter(hasLanded).filter(({ title }) => !title.startsWith('mine') && !has(files, title))
  expect(missing.map(({ title }) => title)).toEqual([])
  const lines = crowd.git('grep', '-h', '^line-', 'main', '--', 'lines').split('\n')
  expect(lines.toSorted()).toEqual(
    tasks
      .map(({ title }) => title)
      .filter((title) => title.startsWith('line'))
      .toSorted(),
  )
}

function has(files: readonly string[], title: string): boolean {
  return files.some((file) => file.endsWith(`/${title}`))
}

function expectNothingLeft(crowd: Crowd): void {
  const about = { worktrees: crowd.worktrees(), processes: crowd.survivors(), leases: openLeases(crowd) }
  expect({ ...about, refs: crowd.git('for-each-ref', 'refs/gza/') }).toEqual({
    worktrees: [],
    processes: [],
    leases: [],
    refs: '',
  })
  outputOf(crowd.gza('verify', '--branch', 'main'))
}

function desk(crowd: Crowd) {
  return {
    status: crowd.git('status', '--porcelain'),
    changes: crowd.git('diff', 'HEAD'),
    staged: crowd.git('diff', '--cached'),
    head: crowd.git('reflog', 'show', '--format=%H %gs', 'HEAD'),
    untracked: readFileSync(join(crowd.dir, 'seats/seat-1'), 'utf8'),
  }
}
