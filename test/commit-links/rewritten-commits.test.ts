import { expect, test } from 'bun:test'
import { add, aStartedRepo, gza, listAll, show } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import { atTime, commitAt, commitOf, notesOn, subjects } from './linked-commits.ts'

const SET_UPS: [set: string, setUp: (repo: Repo) => void][] = [
  ['with gza init', (repo) => gza(repo, 'init')],
  ['without gza init', () => {}],
]

test.each(SET_UPS)('an amended commit keeps its task, %s', (_, setUp) => {
  const repo = aStartedRepo()
  setUp(repo)
  const id = add(repo, 'Refactor auth')
  const old = commitAt(repo, 1, 'auth')
  gza(repo, 'done', id)
  repo.git('commit', '--quiet', '--amend', '--message', 'Implement JWT auth')
  const amended = repo.git('rev-parse', 'HEAD')
  expect(show(repo, id)).toMatchObject({ closed_commit: amended, commits: [old, amended].sort() })
  expect(notesOn(repo, amended)).toBe(`${id}: Refactor auth`)
  expect(subjects(repo, id)[0]).toBe(`link ${id} ${amended.slice(0, 7)}`)
  expect(repo.gza('verify').code).toBe(0)
})

test('amend and rebase print nothing about notes that do not exist yet', () => {
  const repo = aStartedRepo()
  gza(repo, 'init')
  commitAt(repo, 1, 'auth')
  for (const argv of [
    ['commit', '--amend', '--message', 'Implement JWT auth'],
    ['rebase', '--force-rebase', 'HEAD~1'],
  ])
    expect(repo.run(['git', ...argv, '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' })
})

test.each(SET_UPS)('a commit amended several times keeps its task, %s', (_, setUp) => {
  const repo = aStartedRepo()
  setUp(repo)
  const id = add(repo, 'Refactor auth')
  commitAt(repo, 1, 'auth')
  gza(repo, 'done', id)
  for (const message of ['second', 'third', 'fourth']) {
    repo.git('commit', '--quiet', '--amend', '--message', message)
    expect(commitOf(repo, id)).toBe(repo.git('rev-parse', 'HEAD'))
  }
})

test('a commit amended before anyone looked is linked as it is now', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'Refactor auth')
  gza(repo, 'done', id)
  commitAt(repo, 1, 'auth')
  repo.git('commit', '--quiet', '--amend', '--message', 'better')
  expect(commitOf(repo, id)).toBe(repo.git('rev-parse', 'HEAD'))
})

test('a commit amended with the work of a task that was done before closes it', () => {
  const repo = aStartedRepo()
  commitAt(repo, -60, 'auth')
  const id = add(repo, 'Refactor auth')
  gza(repo, 'done', id)
  repo.write('auth', 'more\n')
  repo.git('commit', '--quiet', '--all', '--amend', '--no-edit')
  expect(commitOf(repo, id)).toBe(repo.git('rev-parse', 'HEAD'))
})

test.each(SET_UPS)('rebased commits keep their tasks, each its own, %s', (_, setUp) => {
  const repo = aBranchBesideMain(setUp)
  const ids = workOff(repo, ['one', 'two', 'three'])
  repo.git('rebase', '--quiet', 'main')
  expect(commitsOf(repo, ids)).toEqual(headCommits(repo, 3))
  expect(headCommits(repo, 3).map((commit) => notesOn(repo, commit))).toEqual(
    ids.map((id, i) => `${id}: ${['one', 'two', 'three'][i]}`),
  )
})

test('commits of one and the same second are distinguished', () => {
  const repo = aBranchBesideMain()
  const ids = workOff(repo, ['one', 'two', 'three'], () => 1)
  repo.git('rebase', '--quiet', 'main')
  expect(commitsOf(repo, ids)).toEqual(headCommits(repo, 3))
})

test.each(SET_UPS)('of commits squashed into one, all tasks go to that one, %s', (_, setUp) => {
  const repo = aBranchBesideMain(setUp)
  const ids = workOff(repo, ['one', 'two', 'three'])
  editHistory(repo, '2s/^pick/squash/;3s/^pick/squash/', 'HEAD~3')
  const [squashed] = headCommits(repo, 1)
  expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('1')
  expect(commitsOf(repo, ids)).toEqual([squashed!, squashed!, squashed!])
  expect(notesOn(repo, squashed!).split('\n').filter(Boolean).sort()).toEqual(
    [`${ids[0]}: one`, `${ids[1]}: two`, `${ids[2]}: three`].sort(),
  )
})

test.each(SET_UPS)('so they do where reset --soft and a new commit squashed them, %s', (_, setUp) => {
  const repo = aBranchBesideMain(setUp)
  const ids = workOff(repo, ['one', 'two', 'three'])
  repo.git('reset', '--quiet', '--soft', 'HEAD~3')
  const squashed = repo.commit('all in one')
  expect(commitsOf(repo, ids)).toEqual([squashed, squashed, squashed])
})

test.each(SET_UPS)('a commit between two that are squashed keeps its task, %s', (_, setUp) => {
  const repo = aBranchBesideMain(setUp)
  const ids = workOff(repo, ['one', 'two', 'three'])
  editHistory(repo, '1s/^pick/reword/;3s/^pick/fixup/', 'HEAD~3')
  const [one, two] = headCommits(repo, 2)
  expect(commitsOf(repo, ids)).toEqual([one!, two!, two!])
})

test.each(SET_UPS)(
  'a commit that was dropped leaves the link as it was, and takes no other task’s link, %s',
  (_, setUp) => {
    const repo = aBranchBesideMain(setUp)
    const ids = workOff(repo, ['one', 'two', 'three'])
    const dropped = commitOf(repo, ids[1]!)
    editHistory(repo, '2s/^pick/drop/', 'HEAD~3')
    const [one, three] = headCommits(repo, 2)
    expect(commitsOf(repo, ids)).toEqual([one!, dropped!, three!])
  },
)

test('a rebase between done and commit closes nothing by itself; the commit after it does', () => {
  const repo = aBranchBesideMain()
  commitAt(repo, -30, 'older')
  const id = add(repo, 'to do')
  gza(repo, 'done', id)
  repo.git('rebase', '--quiet', 'main')
  expect(commitOf(repo, id)).toBeNull()
  const commit = commitAt(repo, 5, 'the work')
  expect(commitOf(repo, id)).toBe(commit)
})

test('a commit that was rebased before anyone looked is linked, not what it was rebased on', () => {
  const repo = aBranchBesideMain()
  const id = add(repo, 'to do')
  gza(repo, 'done', id)
  commitAt(repo, 5, 'the work')
  repo.git('rebase', '--quiet', 'main')
  expect(commitOf(repo, id)).toBe(repo.git('rev-parse', 'HEAD'))
})

test('switching branches is not a rewrite', () => {
  const repo = aStartedRepo({ env: { GZA_BRANCH: 'main' } })
  const id = add(repo, 'on main')
  const commit = commitAt(repo, 1, 'work')
  gza(repo, 'done', id)
  repo.git('checkout', '--quiet', '-b', 'other', 'HEAD~1')
  commitAt(repo, 2, 'other work')
  expect(commitOf(repo, id)).toBe(commit)
  repo.git('checkout', '--quiet', 'main')
  expect(commitOf(repo, id)).toBe(commit)
})

test('a rewrite in one clone reaches the other with the ledger', () => {
  const origin = aStartedRepo()
  const [repo, other] = [origin.clone(), origin.clone()]
  const id = add(repo, 'shared')
  commitAt(repo, 1, 'work')
  gza(repo, 'done', id)
  gza(repo, 'sync')
  repo.git('commit', '--quiet', '--amend', '--message', 'better work')
  gza(repo, 'sync')
  repo.git('push', '--quiet', 'origin', 'HEAD:refs/heads/work')
  other.git('fetch', '--quiet')
  gza(other, 'sync')
  const amended = repo.git('rev-parse', 'HEAD')
  expect(commitOf(other, id)).toBe(amended)
  expect(notesOn(other, amended)).toBe(`${id}: shared`)
})

/** On `feature`, with a commit on main that feature does not have. */
function aBranchBesideMain(setUp: (repo: Repo) => void = () => {}): Repo {
  const repo = aStartedRepo()
  setUp(repo)
  repo.git('checkout', '--quiet', '-b', 'feature')
  repo.git('checkout', '--quiet', 'main')
  commitAt(repo, -60, 'upstream')
  repo.git('checkout', '--quiet', 'feature')
  return repo
}

/** Files, commits and closes tasks one after another. */
function workOff(repo: Repo, names: string[], second: (i: number) => number = (i) => i + 1): string[] {
  return names.map((name, i) => {
    const id = add(repo, name)
    commitAt(repo, second(i), name)
    gza(repo, 'done', id)
    return id
  })
}

function editHistory(repo: Repo, script: string, base: string): void {
  atTime(repo, 60)
    .withEnv({ GIT_SEQUENCE_EDITOR: `sed -i '${script}'`, GIT_EDITOR: 'true', GIT_AUTHOR_DATE: undefined })
    .git('rebase', '--quiet', '--interactive', base)
}

/** The last commits of HEAD, oldest first. */
function headCommits(repo: Repo, count: number): string[] {
  return repo.git('rev-list', `--max-count=${count}`, 'HEAD').split('\n').reverse()
}

function commitsOf(repo: Repo, ids: string[]): (string | null)[] {
  const tasks = new Map(listAll(repo).map((task) => [task.id, task.closed_commit]))
  return ids.map((id) => tasks.get(id) ?? null)
}
