import { expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TaskView } from '../../src/workspace/views/views.ts'
import { openLeases } from '../runs/crash-recovery/crash-repo.ts'
import { exportedTasks, linesOf, outputOf } from '../support/ledger-answers.ts'
import { type ConflictingTasks, conflictingTasks, titlesOf } from './conflicting-tasks.ts'

const LONG = 300_000

test(
  '60 tasks in the way of each other, 8 workers: what can land does, and the base is green at every commit',
  () => {
    const kinds = { veto: 3, mine: 2, ci: 2, seat: 21, load: 9, line: 18, lone: 2 }
    const repo = conflictingTasks(mixed(titlesOf(kinds)), 24)
    for (const [title, before] of [
      ['next-1', 'ci-1'],
      ['next-2', 'seat-1'],
      ['next-3', 'line-1'],
    ] as const)
      repo.add(title, '--based-on', numberOf(repo, before))
    repo.write('notes.txt', 'mine\n')
    const readme = statSync(join(repo.dir, 'README.md')).mtimeMs
    const start = repo.git('rev-parse', 'main')

    // Three cannot land without a person.
    expect(repo.workAll()).toBe(1)

    const tasks = tasksOf(repo)
    expect(tasks.length).toBe(60)
    const landed = tasks.filter(hasLanded).map(({ title }) => title)
    const reasons = Object.fromEntries(repo.inbox().map(({ task, code }) => [task?.title, code]))
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

    expectGreenBase(repo, start)
    expectNoWorkLost(repo, tasks)
    expectNothingLeft(repo)
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main')
    expect(repo.git('status', '--porcelain')).toBe('?? notes.txt')
    expect(readFileSync(join(repo.dir, 'notes.txt'), 'utf8')).toBe('mine\n')
    expect(statSync(join(repo.dir, 'README.md')).mtimeMs).toBe(readme)
  },
  LONG,
)

test(
  'the same beside a person who works on another branch, with changes of all kinds: nothing of theirs is touched',
  () => {
    const repo = conflictingTasks(mixed(titlesOf({ seat: 7, load: 2, line: 7 })), 16)
    const start = repo.git('rev-parse', 'main')
    repo.git('checkout', '-q', '-b', 'personal')
    repo.write('README.md', 'changed\n')
    repo.write('staged.txt', 'staged\n')
    repo.git('add', 'staged.txt')
    repo.write('seats/seat-1', '999\n')
    const before = personsCheckout(repo)

    expect(repo.workAll('--branch', 'main')).toBe(0)

    expect(personsCheckout(repo)).toEqual(before)
    const tasks = tasksOf(repo)
    expect(tasks.filter((task) => !hasLanded(task))).toEqual([])
    expectGreenBase(repo, start)
    expectNoWorkLost(repo, tasks)
    expectNothingLeft(repo)
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

function tasksOf(repo: ConflictingTasks): Seen[] {
  return exportedTasks(repo, '--branch', 'main').map((task) => ({ ...task, title: task.content.split('\n')[0] ?? '' }))
}

function numberOf(repo: ConflictingTasks, wanted: string): string {
  const list: TaskView[] = JSON.parse(outputOf(repo.gza('list', '--all', '--json')))
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
function expectGreenBase(repo: ConflictingTasks, start: string): void {
  const values = linesOf(repo.git('reflog', 'show', '--format=%H', 'main'))
  const commits = linesOf(repo.git('rev-list', '--first-parent', 'main'))
  expect(commits.at(-1)).toBe(start)
  expect(values.filter((value) => !commits.includes(value))).toEqual([])
  expect(values.length).toBeGreaterThan(2)
  const clone = repo.clone()
  const loop = `for commit do git checkout -q "$commit" && out=$(sh verify.sh) || echo "$commit $out"; done`
  expect(clone.run(['sh', '-c', loop, 'sh', ...commits], { timeout: LONG }).stdout).toBe('')
}

/** What agents committed is on their branches or in the base, and what landed can be found there. */
function expectNoWorkLost(repo: ConflictingTasks, tasks: readonly Seen[]): void {
  const branches = new Map(tasks.map(({ title, branch }) => [title, branch]))
  const lost = repo.left().filter(({ title, commit }) => {
    const holders = repo.git('branch', '--format=%(refname:short)', '--contains', commit).split('\n')
    return !holders.includes(String(branches.get(title))) && !holders.includes('main')
  })
  expect(lost).toEqual([])
  expect(new Set(repo.left().map(({ title }) => title)).size).toBe(tasks.length)
  const files = repo.git('ls-tree', '-r', '--name-only', 'main').split('\n')
  const missing = tasks.filter(hasLanded).filter(({ title }) => !title.startsWith('mine') && !has(files, title))
  expect(missing.map(({ title }) => title)).toEqual([])
  const lines = repo.git('grep', '-h', '^line-', 'main', '--', 'lines').split('\n')
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

function expectNothingLeft(repo: ConflictingTasks): void {
  const about = { worktrees: repo.worktrees(), processes: repo.survivors(), leases: openLeases(repo) }
  expect({ ...about, refs: repo.git('for-each-ref', 'refs/gza/') }).toEqual({
    worktrees: [],
    processes: [],
    leases: [],
    refs: '',
  })
  outputOf(repo.gza('verify', '--branch', 'main'))
}

function personsCheckout(repo: ConflictingTasks) {
  return {
    status: repo.git('status', '--porcelain'),
    changes: repo.git('diff', 'HEAD'),
    staged: repo.git('diff', '--cached'),
    head: repo.git('reflog', 'show', '--format=%H %gs', 'HEAD'),
    untracked: readFileSync(join(repo.dir, 'seats/seat-1'), 'utf8'),
  }
}
