import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { serve } from '../../src/mcp/serve.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { until } from '../support/until.ts'
import { type Connection, connect, ERAS } from './mcp-client.ts'
import { INITIALIZE, messagesIn, startRaw, toolCall } from './raw-server.ts'

function aQueue(...titles: string[]): Repo {
  const repo = aRepo()
  repo.commit('first')
  for (const title of titles.length === 0 ? ['Write the parser', 'Write the lexer'] : titles) repo.gza('add', title)
  return repo
}

const shown = (repo: Repo, ref = '1') => JSON.parse(repo.gza('show', ref, '--json').stdout)
const minutesLeft = (moment: string): number => (Date.parse(moment) - Date.now()) / 60_000

interface ClaimRow {
  expires_at: string
  released_at: string | null
  connection: string | null
}

/** Lets a test look at claims, and make time pass for them. */
function withLive<T>({ dir }: Repo, work: (db: Database) => T): T {
  const db = new Database(join(dir, '.git/gza/live.db'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}

function claimsIn(repo: Repo): ClaimRow[] {
  const all = 'SELECT expires_at, released_at, connection FROM leases ORDER BY taken_at'
  return withLive(repo, (db) => db.query(all).all() as ClaimRow[])
}

function moveExpiry(repo: Repo, minutes: number): void {
  const at = new Date(Date.now() + minutes * 60_000).toISOString().replace(/\.\d+/, '')
  withLive(repo, (db) => db.query('UPDATE leases SET expires_at = ?').run(at))
}

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}

for (const era of ERAS)
  test(`a client of ${era} takes a task, notes, files more and closes it, without a run id`, async () => {
    const repo = aQueue('Write the parser')
    const { call } = await connect(repo, { era, name: 'codex-mcp-client' })
    const { task } = await call('claim')
    expect(task).toMatchObject({ number: 1, title: 'Write the parser', status: 'in_progress', assigned_agent: 'codex' })
    expect(await call('claim')).toMatchObject({ already_yours: true, task: { number: 1 } })
    expect(await call('claim', { ref: '1' })).toMatchObject({ already_yours: true, task: { number: 1 } })
    expect(await call('note', { ref: '1', text: 'It needs a lexer' })).toMatchObject({ noted: { number: 1 } })
    const { added } = await call('add', {
      tasks: [
        { content: 'Test the lexer', after: ['lexer'], accept: ['All tokens'], type: 'implement', priority: 'high' },
        { content: 'Write the lexer\n\nAll of it.', name: 'lexer', after: ['1'], files: ['lex.ts'] },
        { content: 'Name the tokens', parent: 'lexer' },
      ],
    })
    expect(added.map(({ title, number }: { title: string; number: number }) => [number, title])).toEqual([
      ...[
        [3, 'Test the lexer'],
        [2, 'Write the lexer'],
        [4, 'Name the tokens'],
      ],
    ])
    expect(shown(repo, '3')).toMatchObject({ after: [shown(repo, '2').id], acceptance_criteria: ['All tokens'] })
    expect(shown(repo, '2')).toMatchObject({ after: [task.id], created_by: 'codex', files_to_modify: ['lex.ts'] })
    expect(shown(repo, '4').parent).toBe(shown(repo, '2').id)
    const commit = repo.commit('Write the parser', { 'parse.ts': '1' })
    const { done } = await call('done', { ref: '1', note: 'In parse.ts' })
    expect(done).toMatchObject({ number: 1, status: 'completed', commits: [commit] })
    expect(shown(repo)).toMatchObject({
      status: 'completed',
      notes: ['It needs a lexer', 'In parse.ts'],
      commits: [commit],
    })
    expect(repo.git('log', '--format=%s', 'refs/tasks/main').split('\n')).toEqual([
      ...[`done ${task.id}`, expect.stringMatching(/^add task-\w+ task-\w+ task-\w+$/), `note ${task.id}`],
      ...[`claim ${task.id}`, `add ${task.id}`],
    ])
    expect(repo.gza('verify').code).toBe(0)
    expect((await call('claim')).task).toMatchObject({ number: 4 })
    expect(await call('note', { ref: '4', text: 'Which alphabet?', ask: true })).toMatchObject({
      asked: { asks: true },
    })
    expect(await call('claim')).toEqual({ task: null, message: 'Nothing is ready', hint: 'list {}' })
    expect(claimsIn(repo).every(({ released_at }) => released_at !== null)).toBe(true)
  })

test('tasks that are filed together are filed all or not at all', async () => {
  const repo = aQueue('Write the parser')
  const { call } = await connect(repo)
  const failing = async (...tasks: object[]) => (await call('add', { tasks })).error
  expect(
    await failing({ content: 'A', name: 'a', after: ['b'] }, { content: 'B', name: 'b', after: ['a'] }),
  ).toMatchObject({
    code: 'DEPENDENCY_CYCLE',
  })
  expect(await failing({ content: 'A' }, { content: 'B', after: ['nowhere'] })).toMatchObject({
    code: 'TASK_NOT_FOUND',
  })
  expect(await failing({ content: 'A', name: '1' })).toMatchObject({ code: 'BAD_NAME' })
  expect(await failing({ content: 'A', name: 'a' }, { content: 'B', name: 'a' })).toMatchObject({ code: 'BAD_NAME' })
  expect(await failing({ content: 'A' }, { content: ' ' })).toMatchObject({ code: 'EMPTY_CONTENT' })
  expect(await failing({ content: 'A', tpye: 'plan' })).toMatchObject({ code: 'BAD_ARGUMENTS' })
  expect(await failing()).toMatchObject({ code: 'BAD_ARGUMENTS' })
  expect((await call('list')).total).toBe(1)
})

test('two servers never have one task, and neither closes, releases or asks about the other’s', async () => {
  const repo = aQueue('One', 'Two')
  const [a, b] = [await connect(repo), await connect(repo)] as [Connection, Connection]
  const both = await Promise.all([a.call('claim'), b.call('claim')])
  expect(both.map(({ task }) => task.number).toSorted()).toEqual([1, 2])
  const own = String(both[0].task.number)
  expect((await b.call('claim', { ref: own })).error).toMatchObject({ code: 'TASK_RUNNING', hint: 'claim {}' })
  expect((await b.call('done', { ref: own })).error).toMatchObject({
    code: 'LEASE_LOST',
    message: expect.stringContaining('now belongs to another session of test-client'),
  })
  expect((await b.call('release', { ref: own })).error).toMatchObject({
    ...{ code: 'LEASE_LOST', hint: 'Take another task: claim {}' },
  })
  expect((await b.call('note', { ref: own, text: 'Why?', ask: true })).error.code).toBe('NOT_YOUR_TASK')
  expect(await a.call('release', { ref: own })).toMatchObject({ released: { status: 'pending' } })
  expect(await b.call('claim', { ref: own })).toMatchObject({ task: { status: 'in_progress' } })
  expect((await a.call('done', { ref: own })).error.code).toBe('LEASE_LOST')
})

test('of eight servers that claim the same tasks at once, each task has one', async () => {
  const repo = aQueue('One', 'Two', 'Three')
  const servers = Array.from({ length: 8 }, () => startRaw(repo))
  for (const server of servers) server.send(INITIALIZE, toolCall(1, 'claim'))
  for (const server of servers) server.process.stdin?.end()
  const codes = await Promise.all(servers.map(({ ended }) => ended))
  expect(codes.every((code) => code === 0)).toBe(true)
  const answers = servers.map(({ out }) => JSON.parse(messagesIn(out()).at(-1)?.result?.content[0]?.text ?? ''))
  const numbers = answers.flatMap(({ task, already_yours }) => (task === null || already_yours ? [] : [task.number]))
  expect(numbers.toSorted()).toEqual([1, 2, 3])
})

test('a claim outlives its server by ten minutes, for the same client in the same working tree', async () => {
  const repo = aQueue('One', 'Two')
  const other = repo.worktree('beside')
  const first = await connect(repo)
  const { task } = await first.call('claim', { ref: '1' })
  expect(task.number).toBe(1)
  moveExpiry(repo, 1)
  await first.close()
  expect(minutesLeft(claimsIn(repo)[0]?.expires_at ?? '')).toBeGreaterThan(9)
  expect(minutesLeft(claimsIn(repo)[0]?.expires_at ?? '')).toBeLessThanOrEqual(10)
  const elsewhere = await connect({ ...other, env: { ...other.env, GZA_BRANCH: 'main' } })
  expect((await elsewhere.call('claim', { ref: '1' })).error.code).toBe('TASK_RUNNING')
  const stranger = await connect(repo, { name: 'gemini-cli' })
  expect((await stranger.call('done', { ref: '1' })).error.code).toBe('LEASE_LOST')
  const again = await connect(repo)
  expect(await again.call('claim')).toMatchObject({ already_yours: true, task: { number: 1 } })
  const { markdown } = await again.call('context')
  expect(markdown).toContain('- [ ] One (@test-client, active)  <-- current\n')
  expect(markdown).toContain('You have task #1')
  expect(markdown).toContain('- `done {"ref":"1"}` closes it')
  expect(await again.call('done', { ref: '1' })).toMatchObject({ done: { status: 'completed' } })
})

test('a server that is killed leaves its claim to the next one; a claim that has expired is free for everyone', async () => {
  const repo = aQueue('One')
  const first = await connect(repo)
  await first.call('claim')
  process.kill(first.pid, 'SIGKILL')
  const second = await connect(repo)
  await until(() => isGone(first.pid))
  expect(await second.call('claim')).toMatchObject({ already_yours: true, task: { number: 1 } })
  process.kill(second.pid, 'SIGKILL')
  await until(() => isGone(second.pid))
  moveExpiry(repo, -1)
  const stranger = await connect(repo, { name: 'gemini-cli' })
  expect((await stranger.call('claim')).task).toMatchObject({ number: 1, assigned_agent: 'gemini' })
  const runs = shown(repo).runs.map(({ agent, reason }: { agent: string; reason: string | null }) => [agent, reason])
  expect(runs).toEqual([
    ['test-client', 'interrupted'],
    ['gemini', null],
  ])
})

test('a claim is renewed while its server lives, for other clones too, whether or not the client calls', async () => {
  const repo = aQueue('One')
  const { call } = await connect(repo)
  await call('claim')
  moveExpiry(repo, 1)
  await call('next')
  expect(minutesLeft(claimsIn(repo)[0]?.expires_at ?? '')).toBeGreaterThan(9)
  expect(minutesLeft(shown(repo).runs[0].until)).toBeGreaterThan(55)
  await call('release', { ref: '1' })

  const lines = new TransformStream<Uint8Array, Uint8Array>()
  const writer = lines.writable.getWriter()
  const answers: string[] = []
  const served = serve({
    ...{ cwd: repo.dir, env: repo.env, version: '1', stop: new AbortController().signal, renewMs: 20 },
    ...{ input: lines.readable as unknown as AsyncIterable<Uint8Array>, complain: () => {} },
    write: async (bytes) => void answers.push(Buffer.from(bytes).toString()),
  })
  for (const message of [INITIALIZE, toolCall(1, 'claim')])
    await writer.write(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`))
  await until(() => answers.length === 2)
  moveExpiry(repo, -1)
  await until(() => minutesLeft(claimsIn(repo)[0]?.expires_at ?? '') > 9)
  await writer.close()
  await served
})

test('an agent has the rights of agent mode, whatever its environment says, and its secrets are not stored', async () => {
  const repo = aQueue('One')
  const { call } = await connect(repo, { name: 'Some Editor 3!' })
  await call('add', { tasks: [{ content: 'Two with ghp_0123456789abcdefghijklmnopqrstuvwxyzAB' }] })
  expect(shown(repo, '2').created_by).toBe('some-editor-3')
  expect(shown(repo, '2').content).not.toContain('ghp_0123456789')
  expect(repo.git('log', '-1', '--format=%B', 'refs/tasks/main')).toContain('agent')
})

test('what was asked before the client left is done', async () => {
  const repo = aQueue('One')
  const server = startRaw(repo)
  const notes = Array.from({ length: 40 }, (_, at) => toolCall(at, 'note', { ref: '1', text: `note ${at}` }))
  server.send(INITIALIZE, ...notes)
  server.process.stdout?.destroy()
  server.process.stdin?.end()
  expect(await server.ended).toBe(0)
  const { notes: kept } = shown(repo)
  expect(kept).toEqual(notes.map((_, at) => `note ${at}`))
  const patient = startRaw(repo)
  patient.send(
    INITIALIZE,
    ...Array.from({ length: 40 }, (_, at) => toolCall(at, 'add', { tasks: [{ content: `Task ${at}` }] })),
  )
  patient.process.stdin?.end()
  expect(await patient.ended).toBe(0)
  expect(messagesIn(patient.out())).toHaveLength(41)
  expect(JSON.parse(repo.gza('list', '--json').stdout)).toHaveLength(41)
})
