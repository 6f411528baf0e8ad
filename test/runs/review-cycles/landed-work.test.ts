import { expect, test } from 'bun:test'
import { aReviewRepo, type ReviewRepo } from './review-repo.ts'

const ACTS = { implement: 'commit "$title.txt" "text of $title"', review: 'judge APPROVED' }

/** The names of the files in the diff that the last reviewer was given. */
function judgedFiles(repo: ReviewRepo): string[] {
  const diff = repo.promptOf('review task').split('--- BEGIN diff')[1] ?? ''
  return [...diff.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, file]) => String(file))
}

for (const how of ['merge', 'squash', 'cherry-pick']) {
  test(`a review of work that has landed by ${how} judges that work alone`, () => {
    const repo = aReviewRepo([], ACTS, { config: { land: how } })
    for (const title of ['one', 'two', 'three']) repo.add(title)
    expect(repo.gza('work', '--all').code).toBe(0)
    expect(repo.task('2').landings).toHaveLength(1)
    expect(repo.gza('review', '2').code).toBe(0)
    expect(judgedFiles(repo)).toEqual(['two.txt'])
    repo.git('branch', '-D', String(repo.task('2').branch))
    expect(repo.gza('review', '2').code).toBe(0)
    expect(judgedFiles(repo)).toEqual(['two.txt'])
  })
}

test('so does a review of a branch that a person has merged', () => {
  const repo = aReviewRepo([], ACTS)
  for (const title of ['one', 'two']) repo.add(title)
  expect(repo.gza('work', '--all').code).toBe(0)
  for (const ref of ['1', '2']) repo.git('merge', '-q', '--no-edit', String(repo.task(ref).branch))
  expect(repo.gza('review', '1').code).toBe(0)
  expect(judgedFiles(repo)).toEqual(['one.txt'])
})

test('of work that was done on the base between the commits of others, its own commits are judged', () => {
  const repo = aReviewRepo([], ACTS)
  const close = (ref: string, file: string) => {
    repo.gza('done', ref)
    repo.commit(file, { [file]: 'x\n' })
    repo.gza('log')
  }
  for (const title of ['one', 'two']) repo.add(title)
  close('1', 'a.txt')
  close('2', 'b.txt')
  repo.gza('edit', '1', '--reopen')
  close('1', 'c.txt')
  repo.commit('later', { 'd.txt': 'x\n' })
  expect(repo.gza('review', '1').code).toBe(0)
  expect(judgedFiles(repo)).toEqual(['a.txt', 'c.txt'])
})
