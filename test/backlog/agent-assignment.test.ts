import { expect, test } from 'bun:test'
import { aRepo, type Repo } from '../support/repo.ts'

function query(repo: Repo, sql: string): Record<string, unknown>[] {
  const { stdout, stderr, code } = repo.gza('query', sql, '--json')
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const TREE = `WITH RECURSIVE task_tree AS (
    SELECT *, 0 as depth FROM tasks WHERE plan_file = 'plan.md' AND parent_id IS NULL
    UNION ALL
    SELECT t.*, tt.depth + 1
    FROM tasks t
    JOIN task_tree tt ON t.parent_id = tt.id
)`

test('gza query answers these queries as they are written', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Feature', '--plan-file', 'plan.md', '--project', 'shop')
  repo.gza('add', 'First', '--parent', '1')
  repo.gza('add', 'Second', '--parent', '1')
  repo.gza('agents', 'add', 'backend')
  repo.gza('assign', '2', 'backend')
  repo.gza('done', '2')
  repo.gza('assign', '3', 'backend')
  const ids = (sql: string) => query(repo, sql).map(({ id }) => id)
  expect(ids("SELECT * FROM tasks\nWHERE project = 'shop' AND branch = 'main'\nORDER BY created_at;")).toEqual([
    1, 2, 3,
  ])
  expect(
    query(
      repo,
      `SELECT t.*, a.status as agent_status
FROM tasks t
JOIN agents a ON t.assigned_agent = a.id
WHERE t.completed_at IS NULL
  AND t.assigned_agent IS NOT NULL;`,
    ).map(({ id, agent_status }) => ({ id, agent_status })),
  ).toEqual([{ id: 3, agent_status: 'busy' }])
  expect(ids('SELECT * FROM tasks\nWHERE assigned_agent IS NULL\n  AND completed_at IS NULL;')).toEqual([1])
  expect(
    query(repo, `${TREE}\nSELECT * FROM task_tree ORDER BY depth, created_at;`).map(({ id, depth }) => [id, depth]),
  ).toEqual([
    [1, 0],
    [2, 1],
    [3, 1],
  ])
  expect(
    ids(`${TREE}
SELECT * FROM task_tree
WHERE completed_at IS NULL
  AND id NOT IN (SELECT parent_id FROM tasks WHERE parent_id IS NOT NULL)
ORDER BY depth, created_at
LIMIT 1;`),
  ).toEqual([3])
})

test('agents are registered, given tasks and given others; the ledger keeps who had what', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Login')
  repo.gza('add', 'Logout', '--after', '1')
  expect(repo.gza('agents', 'add', 'backend', '--client', 'claude').stdout).toBe('backend: registered (claude)\n')
  expect(repo.gza('agents', 'add', 'backend', '--client', 'nobody').stderr).toContain('There is no agent “nobody”')
  expect(repo.gza('agents').stdout).toBe('@backend (claude)  idle  never seen\n')
  expect(repo.gza('assign', '2', 'backnd').stderr).toContain('Did you mean backend? A new one: gza agents add backnd')
  repo.gza('assign', '2', '@backend')
  const [agent] = JSON.parse(repo.gza('agents', '--json').stdout)
  expect(agent).toEqual({
    ...{
      agent: 'backend',
      client: 'claude',
      registered: true,
      status: 'blocked',
      open_count: 1,
      heartbeat_at: null,
      paused_until: null,
    },
    ...{ detail: 'task #2 waits for others', current_task: expect.objectContaining({ number: 2, status: 'blocked' }) },
  })
  repo.gza('assign', '2', 'codex')
  const { assigned_agent, assignments } = JSON.parse(repo.gza('show', '2', '--json').stdout)
  expect(assigned_agent).toBe('codex')
  expect(assignments.map((one: { agent: string; by: string }) => [one.agent, one.by])).toEqual([
    ['backend', 'Test'],
    ['codex', 'Test'],
  ])
  expect(repo.gza('show', '2').stdout).toMatch(/assigned: \S+ to backend, by Test\nassigned: \S+ to codex, by Test\n/)
  expect(repo.gza('log', '2').stdout).toMatch(/assign task-\w+ codex[\s\S]*assign task-\w+ backend/)
  expect(repo.gza('work', '--all', '--dry-run', '--json').stdout).toContain('"agent":"codex"')
  repo.gza('assign', '2', 'backend')
  expect(repo.gza('work', '--all', '--dry-run', '--json').stdout).toContain('"agent":"claude"')
  expect(repo.gza('assign', '2', '--none').stdout).toMatch(/assigned to nobody/)
  expect(repo.gza('verify').code).toBe(0)
})

test('what is assigned to one agent is not claimed by another, unless it is named', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Login')
  repo.gza('add', 'Logout')
  for (const name of ['backend', 'frontend']) repo.gza('agents', 'add', name)
  repo.gza('assign', '1', 'backend')
  const frontend = repo.withEnv({ GZA_AGENT: 'frontend' })
  expect(frontend.gza('claim', '--next').stdout).toMatch(/^#2 /)
  expect(frontend.gza('claim', '--next').stdout).toBe('Nothing is ready.\n')
  expect(repo.withEnv({ GZA_AGENT: 'backend' }).gza('claim', '--next').stdout).toMatch(/^#1 /)
  expect(frontend.gza('claim', '1').stderr).toBe('Error: Task #1 is in progress\n  gza claim --next\n')
  expect(frontend.gza('claim', '1', '--next').code).toBe(2)
  repo.gza('release', '1')
  repo.gza('assign', '1', 'backend')
  expect(frontend.gza('claim', '1').code).toBe(0)
})

test('an agent that falls silent or gives up has its task no longer', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Login')
  repo.gza('agents', 'add', 'backend')
  const backend = repo.withEnv({ GZA_AGENT: 'backend' })
  backend.gza('claim', '1', '--minutes', '0.0001')
  while (JSON.parse(repo.gza('agents', '--json').stdout)[0].status === 'busy');
  const [silent] = JSON.parse(repo.gza('agents', '--json').stdout)
  expect(silent).toMatchObject({ status: 'failed', detail: expect.stringMatching(/^silent since /) })
  expect(silent.heartbeat_at).not.toBeNull()
  const inbox = () => JSON.parse(repo.gza('inbox', '--json').stdout)
  expect(inbox()).toMatchObject([
    {
      code: 'AGENT_SILENT',
      task: { number: 1 },
      detail: expect.stringMatching(/^backend is silent since 20/),
      commands: ['gza work 1', 'gza show 1', 'gza note 1 TEXT'],
    },
  ])
  repo.withEnv({ GZA_AGENT: 'frontend' }).gza('claim', '1')
  expect(JSON.parse(repo.gza('show', '1', '--json').stdout).assigned_agent).toBe('frontend')
  repo.gza('release', '1')
  expect(JSON.parse(repo.gza('show', '1', '--json').stdout).assigned_agent).toBeNull()
  expect(repo.gza('agents').stdout).toMatch(/^@backend {2}idle {2}seen \w+ ago\n$/)
  backend.gza('claim', '1')
  backend.gza('note', '1', 'blocked: no test database')
  expect(repo.gza('agents').stdout).toMatch(/^@backend {2}blocked {2}seen \w+ ago {2}#1 Login \(no test database\)\n$/)
  // With a claim it is a question.
  expect(inbox()).toMatchObject([{ code: 'QUESTION', task: { number: 1 } }])
  repo.gza('add', 'Logout')
  repo.gza('agents', 'add', 'frontend')
  repo.gza('assign', '2', 'frontend')
  repo.withEnv({ GZA_AGENT: 'frontend' }).gza('note', '2', 'blocked: no design')
  expect(inbox().slice(1)).toMatchObject([
    { code: 'AGENT_BLOCKED', task: { number: 2 }, detail: 'frontend: no design' },
  ])
  expect(repo.gza('verify').code).toBe(0)
})

test('a task passes through two agents and every state, and neither sees what belongs to the other', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Login')
  for (const name of ['backend', 'frontend']) repo.gza('agents', 'add', name)
  const as = (name: string, run?: string) =>
    repo.withEnv({ GZA_AGENT: name, ...(run !== undefined && { GZA_RUN: run }) })
  const claim = (name: string, ...flags: string[]): string =>
    JSON.parse(as(name).gza('claim', '1', ...flags, '--json').stdout).run
  const states = () => {
    const found: { agent: string; status: string }[] = JSON.parse(repo.gza('agents', '--json').stdout)
    return found.map(({ agent, status }) => `${agent} ${status}`).join(', ')
  }
  const task = () => JSON.parse(repo.gza('show', '1', '--json').stdout)

  repo.gza('assign', '1', 'backend')
  expect([states(), task().status]).toEqual(['backend busy, frontend idle', 'pending'])
  const first = claim('backend')
  as('backend').gza('note', '1', 'blocked: no database')
  expect([states(), task().status]).toEqual(['backend blocked, frontend idle', 'pending'])
  for (const shown of ['tree', 'context']) expect(repo.gza(shown).stdout).toContain('] Login (@backend, blocked)')

  expect(repo.gza('answer', '1', 'use the other one').code).toBe(0)
  expect(repo.gza('assign', '1', 'frontend').code).toBe(0)
  expect([states(), task().status]).toEqual(['backend idle, frontend busy', 'pending'])
  expect(task().runs).toMatchObject([{ run: first, outcome: 'interrupted', reason: 'question' }])
  expect(as('backend', first).gza('done', '1').stderr).toContain('now belongs to frontend')
  expect(as('backend').gza('done', '1').stderr).toContain('now belongs to frontend')
  expect(as('backend', first).gza('release', '1').code).toBe(1)

  const second = claim('frontend')
  expect(states()).toBe('backend idle, frontend busy')
  expect(repo.gza('edit', '1', '--assigned-agent', 'backend').stderr).toContain('gza assign 1 backend takes it')
  expect(as('backend', first).gza('done', '1').code).toBe(1)
  // Without its run an agent is known by its name: what another has claimed is not its to close.
  for (const name of ['backend', 'stranger']) expect(as(name).gza('done', '1').stderr).toContain('gza claim --next')
  expect(task().status).toBe('in_progress')
  const refused = as('frontend').gza('release', '1')
  expect(refused.stderr).toContain('#1 is now held by frontend')
  expect(refused.stderr).toContain('GZA_RUN=RUN in the environment, or gza release 1 --run RUN')
  expect(as('frontend').gza('release', '1', '--run', second).code).toBe(0)
  expect([states(), task().assigned_agent]).toEqual(['backend idle, frontend idle', null])

  claim('frontend', '--minutes', '0.0001')
  while (!states().includes('frontend failed'));
  for (const shown of ['tree', 'context']) expect(repo.gza(shown).stdout).toContain('] Login (@frontend, failed)')
  repo.gza('assign', '1', 'backend')
  expect([states(), task().status]).toEqual(['backend busy, frontend idle', 'pending'])
  const third = claim('backend')
  repo.gza('assign', '1', '--none')
  expect([states(), task().status, task().assigned_agent]).toEqual(['backend idle, frontend idle', 'pending', null])
  expect(as('backend', third).gza('done', '1').code).toBe(1)

  const last = claim('backend')
  expect(as('backend', last).gza('done', '1').code).toBe(0)
  expect(task().runs.at(-1)).toMatchObject({ run: last, outcome: 'completed' })
  expect(repo.gza('assign', '1', 'frontend').stderr).toContain('is completed')
  repo.gza('edit', '1', '--reopen')
  expect(task().status).toBe('pending')
  expect(repo.gza('verify').code).toBe(0)
})

test('an agent that failed is distinguished from one that was given the task afterwards', () => {
  const repo = aRepo()
  repo.commit('first', { 'gza.yaml': 'agents:\n  broken:\n    command: "false"\nretry:\n  max_attempts: 1\n' })
  repo.gza('trust')
  repo.gza('add', 'Login')
  repo.gza('add', 'Part of it', '--parent', '1')
  repo.gza('agents', 'add', 'backend', '--client', 'broken')
  repo.gza('agents', 'add', 'frontend')
  const told = () => {
    const found: { agent: string; status: string; detail: string; current_task: { number: number } | null }[] =
      JSON.parse(repo.gza('agents', '--json').stdout)
    return found.map(({ agent, status, detail, current_task }) => [agent, status, current_task?.number ?? null, detail])
  }
  for (const number of ['1', '2']) repo.gza('assign', number, 'backend')
  expect(told()[0]).toEqual(['backend', 'busy', 2, null])
  expect(repo.gza('work', '2').code).toBe(1)
  expect(told()[0]).toEqual(['backend', 'failed', 2, 'task #2 failed'])
  const assigned = repo.gza('assign', '2', 'frontend')
  expect(assigned.stderr).toBe('Warning: #2 has failed and stays failed; gza retry 2 opens it again\n')
  repo.gza('assign', '1', '--none')
  expect(told()).toEqual([
    ['backend', 'idle', null, null],
    ['frontend', 'blocked', 2, 'task #2 failed with another agent'],
  ])
})

test('what gza is running is not assigned to another, and the refusal says how to end it', async () => {
  const repo = aRepo()
  repo.commit('first', { 'gza.yaml': 'agents:\n  waiter:\n    command: "sh -c \'sleep 60\'"\n' })
  repo.gza('trust')
  repo.gza('add', 'Login')
  for (const name of ['backend', 'frontend']) repo.gza('agents', 'add', name, '--client', 'waiter')
  repo.gza('assign', '1', 'backend')
  const working = repo.start(['gza', 'work', '1'])
  while (repo.gza('ps').stdout === '') await Bun.sleep(20)
  const refused = repo.gza('assign', '1', 'frontend')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'Error: gza is running #1 with waiter\n  gza kill 1 ends that and keeps its work; then gza assign 1 frontend\n',
  ])
  expect(repo.gza('release', '1').stderr).toContain('gza is running #1 with waiter; that is not a claim\n  gza kill 1')
  expect(repo.gza('release', '1', '--renew', '5').code).toBe(1)
  expect(repo.gza('assign', '1', 'backend').code).toBe(0)
  expect(repo.gza('agents').stdout).toMatch(/^@backend \(waiter\) +busy [^\n]*#1 Login\n@frontend \(waiter\) +idle/)
  repo.gza('kill', '1')
  await working
  expect(repo.gza('assign', '1', 'frontend').code).toBe(0)
  expect(repo.gza('agents').stdout).toMatch(/^@backend \(waiter\) +idle[^\n]*\n@frontend \(waiter\) +busy/)
})
