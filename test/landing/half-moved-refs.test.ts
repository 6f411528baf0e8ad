import { expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { done, subjects } from './finished-tasks.ts'

/**
 * Git moves the refs of one transaction one after the other. What ends it in between, here a log that cannot be written,
 * leaves the first ones moved.
 */
test('a landing whose base did not move although git had begun to move the refs is completed by the next', () => {
  const repo = done(['one'])
  repo.git('checkout', '-q', '--detach')
  const merge = ['merge', '--all', '--squash', '--branch', 'main']
  const log = join(repo.dir, '.git/logs/refs/heads/main')
  renameSync(log, repo.beside('log'))
  mkdirSync(log)
  writeFileSync(join(log, 'in-the-way'), '')
  expect(repo.gza(...merge).code).not.toBe(0)
  rmSync(log, { recursive: true })
  renameSync(repo.beside('log'), log)
  outputOf(repo.gza(...merge))
  repo.git('checkout', '-q', 'main')
  expect(subjects(repo, 'main')).toEqual(['one', 'first'])
  expect(repo.task('1').landings.map(({ outcome }) => outcome)).toEqual(['landed'])
  expect(repo.git('for-each-ref', 'refs/gza/')).toBe('')
})
