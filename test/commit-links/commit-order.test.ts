import { expect, test } from 'bun:test'
import { add, aStartedRepo, gza, listAll, show } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { atTime, commitAt, commitOf, notesOn, subjects } from './linked-commits.ts'

test('a task that is done before its commit is closed by the next one', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'Refactor auth')
  gza(repo, 'done', id)
  expect(commitOf(repo, id)).toBeNull()
  const commit = repo.commit('Implement JWT auth')
  repo.commit('Something else')
  expect(show(repo, id)).toMatchObject({ closed_commit: commit, commits: [commit] })
})

test('a task that is done after its commit is closed by it at once', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'Refactor auth')
  const commit = repo.commit('Implement JWT auth')
  expect(JSON.parse(gza(repo, 'done', id, '--json'))).toMatchObject([{ id, closed_commit: commit }])
})

test('several tasks done before one commit are all closed by it, and named in its note', () => {
  const repo = aStartedRepo()
  const ids = ['one', 'two', 'three'].map((content) => add(repo, content))
  gza(repo, 'done', ids[0]!, ids[1]!)
  gza(repo, 'done', ids[2]!)
  const commit = repo.commit('All three')
  expect(listAll(repo).map((task) => task.closed_commit)).toEqual([commit, commit, commit])
  expect(notesOn(repo, commit).split('\n').sort()).toEqual(
    [`${ids[0]}: one`, `${ids[1]}: two`, `${ids[2]}: three`].sort(),
  )
})

test('tasks done one after another with commits between have a commit each, done first', () => {
  const repo = aStartedRepo()
  const [first, second] = [add(repo, 'first task'), add(repo, 'second task')]
  gza(repo, 'done', first)
  const one = repo.commit('one')
  gza(repo, 'done', second)
  const two = repo.commit('two')
  expect([commitOf(repo, first), commitOf(repo, second)]).toEqual([one, two])
})

test('tasks done one after another with commits between have a commit each, committed first', () => {
  const repo = aStartedRepo()
  const [first, second] = [add(repo, 'first task'), add(repo, 'second task')]
  const one = repo.commit('one')
  gza(repo, 'done', first)
  const two = repo.commit('two')
  gza(repo, 'done', second)
  expect([commitOf(repo, first), commitOf(repo, second)]).toEqual([one, two])
})

test('commits made before a task was filed are not its work', () => {
  const repo = aStartedRepo()
  repo.commit('earlier')
  const id = add(repo, 'later')
  gza(repo, 'done', id)
  expect(commitOf(repo, id)).toBeNull()
})

test('done called twice keeps the first link', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'once')
  const commit = repo.commit('work')
  gza(repo, 'done', id)
  repo.commit('other work')
  gza(repo, 'done', id)
  expect(show(repo, id)).toMatchObject({ closed_commit: commit, commits: [commit] })
})

test('a task opened again is closed by the commit of its second time; the first stays among its commits', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'twice')
  const first = repo.commit('first try')
  gza(repo, 'done', id)
  gza(repo, 'edit', id, '--reopen')
  expect(show(repo, id)).toMatchObject({ status: 'pending', closed_commit: null, commits: [first] })
  gza(repo, 'done', id)
  const second = repo.commit('second try')
  expect(show(repo, id)).toMatchObject({ closed_commit: second, commits: [first, second].sort() })
})

test('the first commit of an unborn branch closes what was done before it', () => {
  const repo = aRepo()
  const id = add(repo, 'begin')
  gza(repo, 'done', id)
  expect(commitOf(repo, id)).toBeNull()
  const commit = repo.commit('first')
  expect(commitOf(repo, id)).toBe(commit)
})

test('a task waits for the branch it was done on, whatever happens on others', () => {
  const repo = aStartedRepo()
  repo.git('checkout', '--quiet', '-b', 'feature')
  const id = add(repo, 'on the feature')
  gza(repo, 'done', id)
  repo.git('checkout', '--quiet', 'main')
  repo.commit('on main')
  expect(show(repo.withEnv({ GZA_BRANCH: 'feature' }), id).closed_commit).toBeNull()
  repo.git('checkout', '--quiet', 'feature')
  const commit = repo.commit('on the feature')
  repo.git('checkout', '--quiet', 'main')
  expect(show(repo.withEnv({ GZA_BRANCH: 'feature' }), id).closed_commit).toBe(commit)
})

test('each linked worktree links the commits of its own branch', () => {
  const repo = aStartedRepo()
  const worktree = repo.worktree('feature')
  const [mine, its] = [add(repo, 'here'), add(worktree, 'there')]
  gza(repo, 'done', mine)
  gza(worktree, 'done', its)
  const there = worktree.commit('there')
  const here = repo.commit('here')
  expect([commitOf(repo, mine), commitOf(worktree, its)]).toEqual([here, there])
  expect([notesOn(worktree, here), notesOn(repo, there)]).toEqual([`${mine}: here`, `${its}: there`])
})

function twoClones(): { repo: Repo; other: Repo } {
  const origin = aRepo({ bare: true })
  const repo = origin.clone()
  repo.commit('first')
  repo.git('push', '--quiet', 'origin', 'main')
  return { repo, other: origin.clone() }
}

test('commits that a pull brings in before the next commit are not taken for it', () => {
  const { repo, other } = twoClones()
  commitAt(other, -60, 'theirs')
  other.git('push', '--quiet', 'origin', 'main')
  const id = add(repo, 'mine')
  gza(repo, 'done', id)
  repo.git('pull', '--quiet', '--ff-only')
  expect(commitOf(repo, id)).toBeNull()
  const commit = repo.commit('mine')
  expect(commitOf(repo, id)).toBe(commit)
})

test.each([
  ['fast-forward', ['pull', '--quiet', '--ff-only']],
  ['rebase', ['pull', '--quiet', '--rebase']],
  ['reset', ['reset', '--quiet', '--hard', 'origin/main']],
])('neither are those that others made after it was done, and that came by %s', (how, take) => {
  const { repo, other } = twoClones()
  const id = add(repo, 'mine')
  gza(repo, 'done', id)
  commitAt(other, 60, 'theirs')
  other.git('push', '--quiet', 'origin', 'main')
  if (how === 'rebase') commitAt(repo, 90, 'mine')
  repo.git('fetch', '--quiet')
  repo.git(...take)
  if (how !== 'rebase') {
    expect(commitOf(repo, id)).toBeNull()
    commitAt(repo, 90, 'mine')
  }
  expect(repo.git('log', '-1', '--format=%s')).toBe('mine')
  expect(commitOf(repo, id)).toBe(repo.git('rev-parse', 'HEAD'))
})

test('a task that was done in another clone waits for a commit of the person who did it', () => {
  const { repo, other } = twoClones()
  const bob = other.withEnv({ GIT_COMMITTER_NAME: 'Bob' })
  const id = add(repo, 'mine')
  gza(repo, 'done', id)
  gza(repo, 'sync')
  gza(bob, 'sync')
  commitAt(bob, 60, 'theirs')
  expect(commitOf(bob, id)).toBeNull()
  const commit = commitAt(repo, 90, 'mine')
  repo.git('push', '--quiet', 'origin', 'main')
  bob.git('pull', '--quiet', '--no-rebase', '--no-edit')
  bob.git('reset', '--quiet', '--hard', 'origin/main')
  expect(commitOf(bob, id)).toBe(commit)
})

test('a commit that is picked from elsewhere, with an old date of its own, is a next commit too', () => {
  const repo = aStartedRepo()
  repo.git('checkout', '--quiet', '-b', 'elsewhere')
  commitAt(repo, -3600, 'picked')
  repo.git('checkout', '--quiet', 'main')
  const id = add(repo, 'take it over')
  gza(repo, 'done', id)
  repo.git('cherry-pick', 'elsewhere')
  expect(commitOf(repo, id)).toBe(repo.git('rev-parse', 'main'))
})

test('show, list, pr and log name the commit, and git log --notes=tasks the task', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'Refactor auth')
  gza(repo, 'done', id)
  const commit = repo.commit('Implement JWT auth')
  const short = commit.slice(0, 7)
  expect(gza(repo, 'show', id)).toContain(`\ncommit: ${short}`)
  expect(gza(repo, 'pr')).toBe(`## Tasks\n\n- [x] ${id}: Refactor auth (${short})`)
  expect(listAll(repo)[0]!.closed_commit).toBe(commit)
  expect(subjects(repo)).toEqual([`link ${id} ${short}`, `done ${id}`, `add ${id}`])
  expect(subjects(repo, id)).toEqual(subjects(repo))
  expect(repo.git('log', '-1', '--notes=tasks')).toContain(`Notes (tasks):\n    ${id}: Refactor auth`)
})

test('pr, list and log find the commit by themselves', () => {
  for (const look of ['pr', 'list', 'log']) {
    const repo = aStartedRepo()
    const id = add(repo, 'Refactor auth')
    gza(repo, 'done', id)
    const commit = repo.commit('Implement JWT auth')
    gza(repo, look)
    expect(notesOn(repo, commit)).toBe(`${id}: Refactor auth`)
  }
})

test('an agent’s look at its work links too, and verifies', () => {
  const repo = aStartedRepo({ env: { ZAGI_AGENT: 'claude-code' } })
  const id = add(repo, 'agent work')
  gza(repo, 'done', id)
  const commit = atTime(repo, 5).commit('work')
  expect(commitOf(repo, id)).toBe(commit)
  expect(repo.gza('verify').code).toBe(0)
})

test('a link costs one change of the ledger, however often one looks', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'once')
  gza(repo, 'done', id)
  repo.commit('work')
  for (let i = 0; i < 3; i++) show(repo, id)
  repo.commit('more work')
  show(repo, id)
  expect(subjects(repo).filter((subject) => subject.startsWith('link '))).toHaveLength(1)
})
