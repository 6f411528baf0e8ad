import { expect, test } from 'bun:test'
import { aRepo } from '../../../../test/support/repo.ts'
import { findRepo } from '../../../platform/git/find-repo.ts'
import { judgeTransaction, parseMoves } from './judge-transaction.ts'

const ZERO = '0'.repeat(40)
const SOME = '1'.repeat(40)

test('each line of the hook’s input is a move', () => {
  expect(parseMoves(`${ZERO} ${SOME} refs/heads/main\nref:refs/heads/a ref:refs/heads/b HEAD\n\nrubbish\n`)).toEqual([
    { to: SOME, ref: 'refs/heads/main' },
    { to: 'ref:refs/heads/b', ref: 'HEAD' },
  ])
})

test('an agent may move branches, tags, notes and HEAD', () => {
  const refs = [
    'refs/heads/main',
    'refs/heads/refs/tasks/main',
    'refs/tags/v1',
    'refs/notes/tasks',
    'HEAD',
    'refs/tasksx/y',
  ]
  expect(judge(...refs.map((ref) => `${ZERO} ${SOME} ${ref}`))).toEqual([])
})

// Git reports symbolic refs to hooks since 2.46.
test('a ledger cannot become a symbolic ref, and every refused line is reported', () => {
  expect(judge(`${ZERO} ref:refs/heads/x refs/tasks/main`, `${ZERO} ${SOME} refs/gza/land/main`)).toEqual([
    'refs/tasks/main: a ledger cannot be a symbolic ref',
    'refs/gza/land/main: only gza moves it, for people',
  ])
})

test('a ledger is protected, whichever worktree it is named through', () => {
  for (const prefix of ['main-worktree/', 'worktrees/w/']) {
    expect(judge(`${ZERO} ref:refs/heads/x ${prefix}refs/tasks/main`)).toHaveLength(1)
  }
})

test('deleting a ref that does not exist is allowed', () => {
  expect(judge(`${ZERO} ${ZERO} refs/tasks/none`, `${ZERO} ${ZERO} refs/gza/never-written`)).toEqual([])
})

function judge(...lines: string[]): string[] {
  const repo = aRepo()
  return judgeTransaction(findRepo(repo.dir, repo.env), parseMoves(lines.join('\n')))
}
