import { expect, test } from 'bun:test'
import { aRepo } from '../../test/support/repo.ts'
import { findRepo } from './find-repo.ts'
import { nearCommits } from './loose-commit.ts'

test('the commits after another are found, newest first, with git’s times', () => {
  const { repo, base, near } = aHistory()
  const commits = ['one', 'two', 'three'].map((name) => repo.commit(name))
  const timed = commits.map((oid) => ({ oid, time: Number(repo.git('show', '-s', '--format=%ct', oid)) }))
  expect(near(commits[2] ?? '')).toEqual(timed.reverse())
  expect(near(base)).toEqual([])
})

test('what is packed, merged or not built on it is left to git', () => {
  const { repo, base, near } = aHistory()
  repo.git('switch', '--quiet', '--create', 'side')
  const side = repo.commit('side')
  repo.git('switch', '--quiet', 'main')
  repo.commit('main')
  repo.git('merge', '--quiet', '--no-edit', 'side')
  expect(near(repo.git('rev-parse', 'HEAD'))).toBe(null)
  expect(nearCommits(findRepo(repo.dir, repo.env), side, base)).toBe(null)
  repo.git('gc', '--quiet')
  expect(near(side)).toBe(null)
})

function aHistory() {
  const repo = aRepo()
  const base = repo.commit('first')
  return { repo, base, near: (tip: string) => nearCommits(findRepo(repo.dir, repo.env), base, tip) }
}
