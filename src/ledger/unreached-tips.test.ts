import { expect, test } from 'bun:test'
import { aRepo } from '../../test/support/repo.ts'
import { findRepo } from '../platform/git/find-repo.ts'
import { unreachedTips } from './unreached-tips.ts'

test('a commit of a clone whose clock is ahead is found in what others built on it', () => {
  const repo = aRepo()
  const commitAt = (time: number) => {
    const date = `${time} +0000`
    repo.withEnv({ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }).git('commit', '-q', '--allow-empty', '-m', 'x')
    return repo.git('rev-parse', 'HEAD')
  }
  const ahead = commitAt(1_900_003_600)
  const [first = '', ...later] = Array.from({ length: 12 }, (_, i) => commitAt(1_900_000_000 + i))
  const place = findRepo(repo.dir, repo.env)
  expect(unreachedTips(place, [ahead, first], [later.at(-1) ?? ''])).toEqual([])
  expect(unreachedTips(place, [ahead, later.at(-1) ?? ''], [first])).toEqual([later.at(-1) ?? ''])
  expect(repo.git('rev-list', ahead, `^${later.at(-1)}`)).toBe(ahead)
})
