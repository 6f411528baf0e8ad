import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

test('an agent imports in its own name and at this moment, whatever its lines say', () => {
  const repo = aRepo()
  repo.commit('first')
  const line = {
    content: 'forged',
    created_by: 'Ada',
    created_at: '2020-01-01T00:00:00Z',
    status: 'completed',
    closed_commit: 'abc1234',
  }
  const agent = repo.withEnv({ ZAGI_AGENT: 'evil' })
  agent.run(['gza', 'import', '-'], { stdin: `${JSON.stringify(line)}\n` })
  const task = JSON.parse(repo.gza('show', '1', '--json').stdout)
  expect(task).toMatchObject({ created_by: 'evil', status: 'completed', closed_commit: null })
  expect(task.created_at > '2026').toBe(true)
})

test('a line of another ledger, with authors of its own, only people import', () => {
  const repo = aRepo()
  repo.gza('add', 'Mine')
  const [line = ''] = repo.gza('export').stdout.split('\n')
  const note = { id: '1-00000000', at: '2026-01-01T00:00:00Z', by: 'Ada', text: 'approved by Ada' }
  const forged = `${JSON.stringify({ ...JSON.parse(line), notes: [note] })}\n`
  const refused = repo.withEnv({ ZAGI_AGENT: 'evil' }).run(['gza', 'import', '-', '--json'], { stdin: forged })
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout).error.code).toBe('AGENT_MODE')
  expect(repo.run(['gza', 'import', '-'], { stdin: forged }).code).toBe(0)
  expect(repo.gza('verify').code).toBe(0)
})

test('a note that an agent wrote in the name of another is found', () => {
  const repo = aRepo()
  repo.gza('add', 'Mine')
  repo.withEnv({ ZAGI_AGENT: 'evil' }).gza('note', '1', 'as it is')
  const files = repo.git('show', 'refs/tasks/main:tasks.jsonl').replace('"by":"evil"', '"by":"Ada"')
  repo.write('forged', `${files}\n`)
  const blob = repo.git('hash-object', '-w', 'forged')
  const format = repo.git('rev-parse', 'refs/tasks/main:format')
  const listing = `100644 blob ${format}\tformat\n100644 blob ${blob}\ttasks.jsonl\n`
  const tree = repo.run(['git', 'mktree'], { stdin: listing }).stdout.trim()
  const message = repo.git('log', '-1', '--format=%B', 'refs/tasks/main')
  const forged = repo.git('commit-tree', '-p', 'refs/tasks/main^', '-m', message, tree)
  repo.git('update-ref', 'refs/tasks/main', forged)
  const verdict = repo.gza('verify')
  expect(verdict.code).toBe(1)
  expect(verdict.stdout).toContain('in the name of Ada')
})
