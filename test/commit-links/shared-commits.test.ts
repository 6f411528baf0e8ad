import { expect, test } from 'bun:test'
import { add, aStartedRepo, gza } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { commitAt, commitOf, notesOn } from './linked-commits.ts'

test('one commit closes every task that is done after it', () => {
  const repo = aStartedRepo()
  const [first, second] = [add(repo, 'first task'), add(repo, 'second task')]
  const both = repo.commit('does both')
  gza(repo, 'done', first)
  gza(repo, 'done', second)
  repo.commit('unrelated')
  expect([commitOf(repo, first), commitOf(repo, second)]).toEqual([both, both])
  expect(notesOn(repo, both).split('\n').sort()).toEqual([`${first}: first task`, `${second}: second task`].sort())
})

test('a commit that a closed task waited for is shared with nobody, also after an amend', () => {
  const repo = aStartedRepo()
  const [first, second, third] = ['first', 'second', 'third'].map((name) => add(repo, name))
  gza(repo, 'done', first!)
  repo.commit('of the first')
  expect(commitOf(repo, first!)).not.toBeNull()
  repo.git('commit', '--quiet', '--amend', '--allow-empty', '--message', 'of the first, in other words')
  const one = repo.git('rev-parse', 'HEAD')
  gza(repo, 'done', second!)
  const two = repo.commit('of the second')
  gza(repo, 'done', third!)
  const three = repo.commit('of the third')
  expect([first, second, third].map((id) => commitOf(repo, id!))).toEqual([one, two, three])
})

test('a claimed task has every commit since the claim, also those that closed another task', () => {
  const repo = aStartedRepo()
  const [first, claimed] = [add(repo, 'first task'), add(repo, 'claimed task')]
  const agent = repo.withEnv({ GZA_AGENT: 'claude-code' })
  gza(agent, 'claim', claimed)
  const one = repo.commit('one')
  gza(repo, 'done', first)
  const two = repo.commit('two')
  gza(agent, 'done', claimed)
  const task = JSON.parse(gza(repo, 'show', claimed, '--json'))
  expect(task).toMatchObject({ closed_commit: two, commits: [one, two].sort() })
  expect(notesOn(repo, one).split('\n').sort()).toEqual([`${first}: first task`, `${claimed}: claimed task`].sort())
})

test('commits that others made and a pull brought in are not the work of a task that is done here', () => {
  const { repo, other } = twoClones()
  const [mine, later] = [add(repo, 'mine'), add(repo, 'later')]
  const own = commitAt(repo, 1, 'mine')
  commitAt(other, 2, 'theirs')
  other.git('push', '--quiet', 'origin', 'main')
  repo.git('pull', '--quiet', '--no-rebase', '--no-edit')
  expect(repo.git('rev-list', '--count', '--min-parents=2', 'HEAD')).toBe('1')
  gza(repo, 'done', mine)
  expect(commitOf(repo, mine)).toBe(own)
  repo.git('push', '--quiet', 'origin', 'main')
  other.git('pull', '--quiet', '--ff-only')
  const [there] = [add(other, 'there')]
  commitAt(repo, 3, 'mine too')
  repo.git('push', '--quiet', 'origin', 'main')
  other.git('pull', '--quiet', '--ff-only')
  gza(other, 'done', there)
  expect(commitOf(other, there)).toBeNull()
  gza(repo, 'done', later)
  expect(commitOf(repo, later)).toBe(repo.git('rev-parse', 'HEAD'))
})

test('a merge that brings in work of others is not the commit that a task waits for; one of own work is', () => {
  const { repo, other } = twoClones()
  const id = add(repo, 'waits')
  gza(repo, 'done', id)
  commitAt(other, 2, 'theirs')
  other.git('push', '--quiet', 'origin', 'main')
  repo.git('fetch', '--quiet')
  repo.git('merge', '--quiet', '--no-ff', '--no-edit', 'origin/main')
  expect(commitOf(repo, id)).toBeNull()
  repo.git('checkout', '--quiet', '-b', 'side')
  commitAt(repo, 3, 'own')
  repo.git('checkout', '--quiet', 'main')
  repo.git('merge', '--quiet', '--no-ff', '--no-edit', 'side')
  expect(commitOf(repo, id)).toBe(repo.git('rev-parse', 'HEAD'))
})

test('on a detached HEAD the next commit there closes what was done', () => {
  const repo = aStartedRepo({ env: { GZA_BRANCH: 'main' } })
  const [before, after] = [add(repo, 'committed first'), add(repo, 'done first')]
  repo.git('checkout', '--quiet', '--detach')
  const one = commitAt(repo, 1, 'one')
  gza(repo, 'done', before)
  gza(repo, 'done', after)
  expect([commitOf(repo, before), commitOf(repo, after)]).toEqual([one, one])
  const waiting = add(repo, 'waits')
  gza(repo, 'done', waiting)
  repo.git('checkout', '--quiet', 'main')
  commitAt(repo, 2, 'elsewhere')
  expect(commitOf(repo, waiting)).toBeNull()
  repo.git('checkout', '--quiet', '--detach', one)
  const two = commitAt(repo, 3, 'two')
  expect(commitOf(repo, waiting)).toBe(two)
})

function twoClones(): { repo: Repo; other: Repo } {
  const origin = aRepo({ bare: true })
  const repo = origin.clone()
  repo.commit('first')
  repo.git('push', '--quiet', 'origin', 'main')
  return { repo, other: origin.clone() }
}
