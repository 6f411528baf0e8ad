import { expect, test } from 'bun:test'
import { aRepo, type Repo } from '../support/repo.ts'
import { connect, ERAS } from './mcp-client.ts'

function aQueue(): Repo {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Write the parser', '--accept', 'It parses', '--priority', 'high')
  repo.gza('add', 'Write the lexer\n\nWith all its tokens.', '--after', '1', '--key', 'T-2', '--type', 'implement')
  return repo
}

const idsOf = (repo: Repo): string[] =>
  JSON.parse(repo.gza('list', '--json').stdout).map(({ id }: { id: string }) => id)

for (const era of ERAS)
  test(`a client of ${era} lists tools, resources and prompts, and reads the queue`, async () => {
    const repo = aQueue()
    const [first, second] = idsOf(repo)
    const { client, call, close, stderr } = await connect(repo, { era })
    expect(client.getNegotiatedProtocolVersion()).toBe(era)
    const { tools } = await client.listTools()
    expect(tools.length).toBeLessThanOrEqual(10)
    expect(tools.map(({ name }) => name)).toContain('context')
    const row = { number: 1, id: first, title: 'Write the parser', status: 'pending' }
    const waiting = {
      number: 2,
      id: second,
      title: 'Write the lexer',
      status: 'blocked',
      key: 'T-2',
      type: 'implement',
    }
    expect(await call('next')).toEqual({ tasks: [row], total: 1, blocked: 1 })
    expect(await call('list')).toEqual({ tasks: [row, { ...waiting, blocked_by: [1] }], total: 2 })
    expect((await call('context')).markdown).toContain('Write the parser')
    for (const ref of ['2', '#2', second, 'T-2', second?.slice(0, 8), 2])
      expect(await call('show', { ref })).toEqual({
        ...waiting,
        blocked_by: [1],
        content: 'Write the lexer\n\nWith all its tokens.',
        after: [`#1 ${first} (pending)`],
        created_by: 'Test',
      })
    expect(await call('why', { ref: '2' })).toMatchObject({ number: 2, code: 'BLOCKED' })
    const { resources } = await client.listResources()
    expect(resources.map(({ name }) => name)).toEqual(['#1 Write the parser', '#2 Write the lexer'])
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toEqual([
      ...['task', 'plan', 'review'],
    ])
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({
      ...row,
      acceptance_criteria: ['It parses'],
    })
    expect((await client.listPrompts()).prompts.map(({ name, title }) => [name, title])).toEqual([
      ['work_queue', 'Work the queue'],
    ])
    const { messages } = await client.getPrompt({ name: 'work_queue' })
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('Call claim without ref') })
    expect(client.getInstructions()?.split(/\s+/).length).toBeLessThanOrEqual(120)
    await close()
    expect(stderr()).toBe('')
  })

test('rows come twenty at a time, with their number and a cursor', async () => {
  const repo = aRepo()
  repo.commit('first')
  const titles = Array.from({ length: 45 }, (_, at) => `Task ${at + 1}`)
  repo.run(['gza', 'import', '-', '--format', 'markdown'], {
    stdin: titles.map((title) => `- [ ] ${title}\n`).join(''),
  })
  const { call, client } = await connect(repo)
  for (const tool of ['list', 'next']) {
    const seen: string[] = []
    let page = await call(tool)
    for (; ; page = await call(tool, { cursor: page.cursor })) {
      expect(page.total).toBe(45)
      expect(page.tasks.length).toBeLessThanOrEqual(20)
      seen.push(...page.tasks.map(({ title }: { title: string }) => title))
      if (page.cursor === undefined) break
    }
    expect(seen).toEqual(titles)
    expect((await call(tool, { limit: 3 })).tasks).toHaveLength(3)
  }
  const { resources, nextCursor } = await client.listResources()
  expect(resources).toHaveLength(45)
  expect(nextCursor).toBeUndefined()
  const { error } = await call('list', { cursor: 'x' })
  expect(error.code).toBe('BAD_CURSOR')
})

test('an error has a code, a sentence and the call that helps', async () => {
  const repo = aQueue()
  const { call, client } = await connect(repo)
  expect(await call('show', { ref: 'zz' })).toEqual({
    error: {
      ...{ code: 'TASK_NOT_FOUND', message: 'No task zz on main' },
      hint: 'list {"status":"open,completed,failed,skipped"}',
    },
  })
  expect((await call('show', { reff: '1' })).error).toEqual({
    ...{ code: 'BAD_ARGUMENTS', hint: 'show {"ref":"3"}' },
    message: expect.stringContaining('reff'),
  })
  expect((await call('list', { limit: 1000 })).error.code).toBe('BAD_ARGUMENTS')
  expect((await call('list', { status: 'odd' })).error).toMatchObject({
    code: 'BAD_VALUE',
    hint: expect.stringContaining('completed'),
  })
  expect((await call('delete', { ref: '1' })).error.code).toBe('NO_SUCH_TOOL')
  expect((await call('show', { ref: '1', text: 'newest' })).error).toMatchObject({
    code: 'NO_TEXT',
    hint: 'show {"ref":"1"}',
  })
  expect(client.readResource({ uri: 'gza://task/zz' })).rejects.toThrow('TASK_NOT_FOUND: No task zz on main')
  expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('NO_SUCH_RESOURCE')
  expect(client.getPrompt({ name: 'odd' })).rejects.toThrow('gza has no prompt odd')
})

test('a task of another branch is not found, and the error names that branch', async () => {
  const repo = aQueue()
  repo.git('branch', 'feature')
  const { id } = JSON.parse(repo.gza('add', 'There', '--key', 'T9', '--branch', 'feature', '--json').stdout)
  const { call } = await connect(repo)
  for (const tool of ['show', 'why', 'claim', 'done'])
    expect((await call(tool, { ref: 'T9' })).error).toEqual({
      ...{ code: 'TASK_NOT_FOUND', message: `No task T9 on main: ${id} There is on feature` },
      hint: expect.not.stringContaining('--branch'),
    })
})

test('what no tool can do is not proposed to a client, in errors, warnings, why and context', async () => {
  const repo = aQueue()
  repo.gza('done', '1')
  const { call } = await connect(repo)
  const answers = [
    await call('claim', { ref: '1' }),
    await call('release', { ref: '2' }),
    await call('why', { ref: '2' }),
    await call('context'),
    await call('add', { tasks: [{ content: 'Name the tokens', parent: '1' }] }),
  ]
  expect(JSON.stringify(answers)).not.toMatch(/\bgza (?!keeps)|git tasks/)
  expect(answers[0].error.hint).toBe(
    'Only people can change that. To explain why it is needed: note {"ref":"1","text":"…"}. To take another task: claim {}',
  )
  expect(JSON.stringify(answers[2])).toContain('it can start now: claim')
  expect(answers[3].markdown).toContain('- `claim {"ref":"2"}` takes it; then do it and commit')
})

test('a server that was started outside of a repository says so in every answer', async () => {
  const repo = aRepo()
  const { call } = await connect({ dir: '/', env: repo.env })
  expect((await call('next')).error).toMatchObject({ code: 'NO_REPO' })
})

test('long texts come in pieces, and what others wrote is shown without control characters', async () => {
  const repo = aRepo()
  repo.commit('first')
  const text = 'é'.repeat(40_000)
  repo.run(['gza', 'add', '-'], { stdin: `Long \u202e one\n\n${text}` })
  repo.write('found.md', text)
  repo.gza('note', '1', 'attached', '--attach', 'found.md')
  const { call, client } = await connect(repo)
  const shown = await call('show', { ref: '1' })
  expect(shown.content).toHaveLength(16_000)
  expect(shown.content_cut).toBe('show {"ref":"1","text":"content","cursor":"16000"}')
  expect(shown.texts).toEqual(['found.md'])
  let whole = ''
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const piece = await call('show', { ref: '1', text: 'found', cursor })
    whole += piece.text
    cursor = piece.cursor
  }
  expect(whole).toBe(text)
  const raw = await client.callTool({ name: 'next', arguments: {} })
  expect(JSON.stringify(raw.content)).not.toContain('\u202e')
})

test('the tool list finds tasks by their words, with the filters of gza list', async () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Write the parser', '--priority', 'high')
  repo.gza('add', 'Write the lexer')
  repo.gza('note', '2', 'The parser needs it')
  const { call } = await connect(repo)
  const numbers = async (text: string) => {
    const { tasks } = (await call('list', { text })) as { tasks: { number: number }[] }
    return tasks.map(({ number }) => number)
  }
  expect(await numbers('parser')).toEqual([1, 2])
  expect(await numbers('parser -priority:high')).toEqual([2])
  expect(await numbers('title:pars*')).toEqual([1])
  expect(await numbers('"')).toEqual([1, 2])
})
