import { beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { aBoxedRun, type BoxedRun } from '../isolation/broker/boxed-run.ts'
import { anIsolatedRepo, LEVELS } from '../isolation/runs/isolated-repo.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { connect, ERAS } from './mcp-client.ts'
import { INITIALIZE, messagesIn, startRaw, toolCall } from './raw-server.ts'

let run: BoxedRun
beforeAll(async () => {
  run = await aBoxedRun()
})

/** A server that the agent of the run started: without a box, and in one, where only the broker leads out. */
const PLACES = {
  'without a box': () => ({ dir: run.agent.cwd, env: run.agent.env }),
  'in a box': () => ({ dir: '/', env: run.boxed }),
}

for (const [at, [where, place]] of Object.entries(PLACES).entries()) {
  const era = ERAS[at]
  test(`${where}, a client of ${era} works on the task of its run, and on no other`, async () => {
    const { call, client, close } = await connect(place(), { era })
    const { markdown } = await call('context')
    expect(markdown).toContain('You are in a run of task #1')
    expect(markdown).toContain('- `note {"ref":"1","text":"…","ask":true}` asks a person')
    expect(markdown).not.toMatch(/`(?:claim|release|done) /)
    expect((await call('list', { limit: 3 })).tasks).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3 }])
    for (const input of [{}, { ref: '2' }])
      expect((await call('claim', input)).error).toEqual({
        code: 'AGENT_MODE',
        message: expect.stringMatching(/^claim is blocked inside run \S+: a run has one task$/),
        hint: 'Finish your task. What else there is to do: add {"tasks":[{"content":"…"}]}',
      })
    expect((await call('release', { ref: '1' })).error.code).toBe('AGENT_MODE')
    expect((await call('done', { ref: '2' })).error).toMatchObject({ code: 'NOT_YOUR_TASK' })
    const text = `from ${where}, ${era}`
    expect(await call('note', { ref: '1', text })).toMatchObject({ noted: { number: 1 } })
    expect(run.repo.task('1').notes).toContain(text)
    const { added } = await call('add', {
      tasks: [
        { name: 'a', content: 'Part' },
        { content: 'Next', after: ['a'] },
      ],
    })
    expect(run.repo.task(added[1].id)).toMatchObject({ after: [added[0].id], created_by: 'scripted' })
    expect(await call('done', { ref: added[0].id })).toMatchObject({ done: { status: 'completed' } })
    expect(await call('done', { ref: '1' })).toMatchObject({
      warnings: [expect.stringContaining('will be closed by gza once your last commit has passed its checks')],
    })
    expect(run.repo.task('1').status).toBe('in_progress')
    const { contents } = await client.readResource({ uri: 'gza://task/1' })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ number: 1, title: 'Own' })
    expect((await call('show', { ref: '99' })).error).toMatchObject({ code: 'TASK_NOT_FOUND' })
    await close()
  })
}

test('in a box, what is too long or cannot be read is refused, and the server continues', async () => {
  const { call } = await connect({ dir: '/', env: run.boxed })
  expect((await call('note', { ref: '1', text: 'x'.repeat(100_000) })).error).toMatchObject({
    code: 'REQUEST_TOO_LONG',
  })
  for (const stdin of ['', 'x', '{"kind":"tool"}', '{"kind":"leave"}'])
    expect(JSON.parse((await run.inside(['__mcp'], { stdin })).stdout).error.code).toBe('BAD_REQUEST')
  expect((await run.inside(['mcp', '--branch', 'other'])).stderr).toContain('mcp is not available inside the box')
  expect((await call('next')).total).toBeGreaterThan(0)
})

test('in a box, twenty calls at once are answered although the input has ended', async () => {
  const server = startRaw({ dir: '/', env: run.boxed })
  server.send(INITIALIZE, ...Array.from({ length: 20 }, (_, at) => toolCall(at, 'show', { ref: '1' })))
  server.process.stdin?.end()
  expect(await server.ended).toBe(0)
  const answered = messagesIn(server.out()).filter(({ result }) => result?.content?.[0]?.text.includes('"title":"Own"'))
  expect(answered).toHaveLength(20)
})

test('the run ends as usual, and its task is done', async () => {
  await run.end()
  expect(run.repo.task('1').status).toBe('completed')
})

const LINES = [INITIALIZE, toolCall(1, 'note', { ref: '1', text: 'from inside' }), toolCall(2, 'claim')]
  .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
  .join('\n')

for (const level of LEVELS)
  test(`${level}: an agent in a real box is served, also by a client that passes few variables on`, () => {
    const served = `
printf '%s\\n' '${LINES}' >"$beside/lines"
gza mcp <"$beside/lines" >"$beside/whole"
env -i PATH="$PATH" gza mcp <"$beside/lines" >"$beside/bare"
commit a.txt one
`
    const repo = anIsolatedRepo(level, { Work: served })
    repo.add('Work')
    expect(outputOf(repo.work('1'))).toContain('✓ Task #1 completed')
    for (const name of ['whole', 'bare']) {
      const [, noted, claimed] = messagesIn(readFileSync(repo.beside(name), 'utf8'))
      expect(noted?.result?.content[0]?.text).toContain('"noted":{"number":1')
      expect(claimed?.result?.content[0]?.text).toContain('a run has one task')
    }
    expect(repo.task('1').notes).toEqual(['from inside', 'from inside'])
  })
