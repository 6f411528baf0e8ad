import { expect, test } from 'bun:test'
import { add, aStartedRepo, ask, gza, listAll } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import { commitAt, commitOf, notesOn } from './linked-commits.ts'

test('the tasks of a branch that is squashed into another go to the squash commit', () => {
  const repo = aStartedRepo()
  repo.git('checkout', '--quiet', '-b', 'feature')
  const ids = ['one', 'two'].map((name, i) => workOff(repo, name, i + 1))
  commitAt(repo, 3, 'unlinked')
  repo.git('checkout', '--quiet', 'main')
  commitAt(repo, 4, 'upstream')
  const kept = workOff(repo, 'kept', 5)
  const own = commitOf(repo, kept)
  repo.git('merge', '--quiet', '--squash', 'feature')
  repo.git('commit', '--quiet', '--message', 'Feature (#7)')
  const squashed = repo.git('rev-parse', 'HEAD')
  gza(repo, 'log')
  repo.git('branch', '--quiet', '--delete', '--force', 'feature')
  expect(linksOf(repo, 'feature')).toEqual([squashed, squashed])
  expect(linksOf(repo, 'main')).toEqual([own])
  expect(notesOn(repo, squashed).split('\n').filter(Boolean).sort()).toEqual(
    [`${ids[0]}: one`, `${ids[1]}: two`].sort(),
  )
  expect(repo.gza('verify', '--all-branches')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('link') })
})

test('also if the branch is gone before anyone looks, and the squash was edited', () => {
  const repo = aStartedRepo()
  repo.git('checkout', '--quiet', '-b', 'feature')
  for (const [i, name] of ['one', 'two'].entries()) workOff(repo, name, i + 1)
  repo.git('checkout', '--quiet', 'main')
  repo.git('merge', '--quiet', '--squash', 'feature')
  repo.write('one', 'one, corrected\n')
  repo.git('add', 'one')
  repo.git('commit', '--quiet', '--no-edit')
  repo.git('branch', '--quiet', '--delete', '--force', 'feature')
  gza(repo, 'log')
  const squashed = repo.git('rev-parse', 'HEAD')
  expect(linksOf(repo, 'feature')).toEqual([squashed, squashed])
})

test('a commit that exists only as a cherry-pick is followed; one that is still on a branch is not', () => {
  const repo = aStartedRepo({ env: { GZA_BRANCH: 'main' } })
  repo.git('checkout', '--quiet', '-b', 'work')
  const id = workOff(repo, 'one', 1)
  const first = commitOf(repo, id)
  repo.git('checkout', '--quiet', 'main')
  commitAt(repo, 2, 'upstream')
  repo.git('cherry-pick', 'work')
  gza(repo, 'log')
  expect(commitOf(repo, id)).toBe(first)
  repo.git('commit', '--quiet', '--amend', '--reset-author', '--message', 'picked')
  repo.git('branch', '--quiet', '--delete', '--force', 'work')
  gza(repo, 'log')
  expect(commitOf(repo, id)).toBe(repo.git('rev-parse', 'HEAD'))
})

test('verify and doctor name links to commits that no branch has any more, and fail nothing', () => {
  const repo = aStartedRepo()
  const id = workOff(repo, 'dropped', 1)
  const gone = commitOf(repo, id)!
  repo.git('reset', '--quiet', '--hard', 'HEAD~1')
  commitAt(repo, 1, 'other work')
  gza(repo, 'log')
  expect(commitOf(repo, id)).toBe(gone)
  const short = gone.slice(0, 7)
  expect(gza(repo, 'verify')).toContain(`  link of #1 (${id}): commit ${short} is on no branch here`)
  expect(ask<{ ok: boolean; links: unknown[] }[]>(repo, 'verify')[0]).toMatchObject({
    ok: true,
    links: [{ id, number: 1, commit: gone, state: 'unreachable' }],
  })
  expect(gza(repo, 'doctor')).toMatch(new RegExp(`warn  links +main: #1 \\(${short}\\)`))
  repo.git('branch', 'kept', gone)
  expect(gza(repo, 'verify')).not.toContain('link of')
})

test('work that was reset and committed again has its link again', () => {
  const repo = aStartedRepo()
  const id = workOff(repo, 'again', 1)
  repo.git('reset', '--quiet', '--hard', 'HEAD~1')
  gza(repo, 'log')
  commitAt(repo, 5, 'between')
  const again = commitAt(repo, 60, 'again')
  gza(repo, 'log')
  expect(commitOf(repo, id)).toBe(again)
})

test('two clones that link one task differently agree on one link and keep both commits', () => {
  const origin = aStartedRepo()
  const [ann, ben] = [origin.clone(), origin.clone()]
  const id = add(ann, 'shared')
  gza(ann, 'sync')
  gza(ben, 'sync')
  const commits = [ann, ben].map((repo, i) => {
    const commit = commitAt(repo, i + 1, `work ${i}`)
    gza(repo, 'done', id)
    return commit
  })
  for (const repo of [ann, ben, ann]) gza(repo, 'sync')
  for (const repo of [ann, ben]) gza(repo, 'log')
  const [here, there] = [ann, ben].map((repo) => ask<{ closed_commit: string; commits: string[] }>(repo, 'show', id))
  expect(here!.closed_commit).toBe(there!.closed_commit)
  expect([here!.commits, there!.commits]).toEqual([commits.toSorted(), commits.toSorted()])
})

/** Files, commits and closes a task; its id. */
function workOff(repo: Repo, name: string, second: number): string {
  const id = add(repo, name)
  commitAt(repo, second, name)
  gza(repo, 'done', id)
  return id
}

function linksOf(repo: Repo, ledger: string): (string | null)[] {
  return listAll(repo, '--branch', ledger).map(({ closed_commit }) => closed_commit)
}
