import { expect, test } from 'bun:test'
import { aRepo } from '../../../test/support/repo.ts'
import { findRepo } from '../../platform/git/find-repo.ts'
import { judgeTransaction, parseMoves } from './judge-transaction.ts'

const ZERO = '0'.repeat(40)
const SOME = '1'.repeat(40)

test('the hook’s input is a move a line', () => {
  expect(parseMoves(`${ZERO} ${SOME} refs/heads/main\nref:refs/heads/a ref:refs/heads/b HEAD\n\nrubbish\n`)).toEqual([
    { to: SOME, ref: 'refs/heads/main' },
    { to: 'ref:refs/heads/b', ref: 'HEAD' },
  ])
})

test('branches, tags, notes and HEAD are the agent’s own', () => {
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

// Git tells hooks of symbolic refs from 2.46 on.
test('a ledger is not made a symbolic ref, and every refused line is told', () => {
  expect(judge(`${ZERO} ref:refs/heads/x refs/tasks/main`, `${ZERO} ${SOME} refs/gza/land/main`)).toEqual([
    'refs/tasks/main: a ledger is no symbolic ref',
    'refs/gza/land/main: only gza moves it, for people',
  ])
})

test('a ledger is a ledger, through whichever worktree it is named', () => {
  for (const prefix of ['main-worktree/', 'worktrees/w/']) {
    expect(judge(`${ZERO} ref:refs/heads/x ${prefix}refs/tasks/main`)).toHaveLength(1)
  }
})

test('deleting what is not there loses nothing', () => {
  expect(judge(`${ZERO} ${ZERO} refs/tasks/none`, `${ZERO} ${ZERO} refs/gza/never-written`)).toEqual([])
})

function judge(...lines: string[]): string[] {
  const repo = aRepo()
  return judgeTransaction(findRepo(repo.dir, repo.env), parseMoves(lines.join('\n')))
}
