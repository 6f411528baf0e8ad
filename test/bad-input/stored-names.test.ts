import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { taskLine } from '../../src/core/ledger/task-line.ts'
import type { Run, Task } from '../../src/core/task/task.ts'
import { taskWithPrefix } from '../support/handmade-commits.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'

/** A ledger in which every value that gza passes to git, or makes a path of, is hostile. */
function aHostileLedger(): { repo: AgentRepo; written: string[] } {
  const repo = anAgentRepo({})
  const evil = `--output=${repo.beside('written')}`
  const at = '2026-11-17T00:00:00Z'
  const run: Run = { run: '../../../x', attempt: 1, machine: 'm', started_at: at, ended_at: at, outcome: 'completed' }
  const fact = { generation: 0, at, head: evil }
  const closed = { status: 'completed' as const, closed_at: at, closed_by: 'Eve', created_head: evil }
  const first = taskWithPrefix('a', 1)
  const tasks: Task[] = [
    { ...first, ...closed, closed_commit: evil, commits: [evil], branch: evil, runs: [{ ...run, head: evil }] },
    {
      ...{ ...taskWithPrefix('b', 2), ...closed, closed_head: evil, closed_branch: evil, branch: `${evil}2` },
      phases: [{ ...fact, run: 'r', phase: 'review', cycle: 1, verdict: 'APPROVED', artifact: evil }],
      landings: [{ ...fact, id: 'l', by: 'Eve', base: 'main', outcome: 'landed', method: 'merge', commits: [evil] }],
    },
    { ...taskWithPrefix('c', 3), branch: evil, created_head: evil },
    { ...taskWithPrefix('d', 4), type: 'review', based_on: [`task-${first.uid}`] },
    { ...taskWithPrefix('e', 5), type: 'improve', based_on: [`task-${first.uid}`] },
    { ...taskWithPrefix('f', 6), branch: 'a/../../../b' },
  ]
  const stdin = tasks.map((task, n) => `${taskLine({ ...task, number: n + 1 })}\n`).join('')
  outputOf(repo.run(['gza', 'import', '-'], { stdin }))
  return { repo, written: ['written', 'written2'].map((name) => repo.beside(name)) }
}

const CALLS = [
  ...['list --all', 'show 1', 'show 2', 'log', 'log 2', 'status', 'inbox', 'doctor', 'queue', 'verify', 'pr', 'tree'],
  ...['diff 1', 'diff 2', 'diff 3', 'why 3', 'why 5', 'summary', 'context', 'work --dry-run --all', 'merge 1'],
  ...['merge 2', 'merge --all', 'note 1 hello', 'done 3', 'edit 3 --reopen', 'work 3', 'work 4', 'work 5', 'work 6'],
  ...[
    'review 1',
    'improve 2',
    'edit 2 --verdict APPROVED',
    'edit 2 --reopen',
    'work 2',
    'claim 6',
    'release 6',
    'work --all',
  ],
]

test('values of a ledger are never options of git, and lead out of no folder', () => {
  const { repo, written } = aHostileLedger()
  for (const call of CALLS) {
    const { code, stdout, stderr } = repo.gza(...call.split(' '))
    expect([call, code < 70, `${stdout}${stderr}`]).toEqual([
      call,
      true,
      expect.not.stringMatching(/^ +at .*\.ts:|fatal:|usage: git/m),
    ])
    expect([call, written.filter((path) => existsSync(path))]).toEqual([call, []])
  }
  for (const number of ['3', '6']) expect(repo.why(number)).toBe('BAD_BRANCH')
  expect(existsSync(repo.beside('b'))).toBe(false)
})
