import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin } from '../../support/built-program.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { aBoxedRun, type BoxedRun } from './boxed-run.ts'

let run: BoxedRun
beforeAll(async () => {
  run = await aBoxedRun()
})

describe('a call from inside the box prints what the same call outside prints', () => {
  const calls = [
    ...[
      ['search', 'one'],
      ['search', 'title:o* -two', '--json'],
      ['list', '--text', 'one', '--not', 'priority:low'],
    ],
    ...[['list'], ['list', '--all', '-n', '2'], ['list', '--all-branches'], ['ready'], ['next', '--all']],
    ...[['show', '1'], ['show', '2'], ['status'], ['groups'], ['milestones'], ['tree', '--numbers'], ['where']],
    ...[['graph'], ['graph', '--mermaid'], ['log', '--limit', '3'], ['context'], ['context', '--task', '2']],
    ...[['why', '1'], ['why', '2'], ['stats'], ['summary'], ['export'], ['export', '--csv']],
    // Errors, and calls that no command answers.
    ...[['show', '99'], ['show'], ['lst'], ['list', '--statsu', 'x'], ['list', '--branch', 'no..name'], ['add', ' ']],
    ...[['done', '2'], ['ask', '2', 'Why?'], ['note', '1', ''], []],
    ...[['--version'], ['-v'], ['--help'], ['help'], ['help', 'add'], ['add', '--help'], ['work', '--help']],
  ]
  const both = calls.flatMap((argv) => [argv, ...(argv.includes('--json') ? [] : [[...argv, '--json']])])
  test.each(both.map((argv) => [argv.join(' '), argv] as const))('gza %s', async (_title, argv) => {
    const inside = await run.inside(argv)
    expect(inside).toEqual(await run.outside(argv))
  })

  test.each(['list', 'show 1', 'lst', '--version', 'done 2', 'add --help'])('git tasks %s', async (line) => {
    const argv = line.split(' ')
    const inside = await run.inside(argv, { name: 'git-tasks' })
    expect(inside).toEqual(await run.outside(argv, { name: 'git-tasks' }))
  })

  test.each([
    ['on a terminal', 'stty cols 50;'],
    ['on a terminal without colours', 'stty cols 50; NO_COLOR=1'],
    ['on a dumb terminal', 'stty cols 50; TERM=dumb'],
  ])('%s', async (_where, before) => {
    const command = (gza: string) => ['script', '-qec', `${before} ${gza} list`, '/dev/null']
    const env = { TERM: 'xterm' }
    const { PATH } = run.agent.env
    const inside = await run.repo.start(command('gza'), { env: { ...run.boxed, ...env, PATH } })
    const outside = await run.repo.start(command('gza'), { env: { ...run.agent.env, ...env }, cwd: run.agent.cwd })
    expect(inside.stdout).toContain('Own')
    expect(inside).toEqual(outside)
  })
})

describe('an agent inside the box works on its own task', () => {
  test('it writes notes, also from standard input, in its own name', async () => {
    outputOf(await run.inside(['note', '1', 'first']))
    outputOf(await run.inside(['note', '1'], { stdin: 'second\nline\n' }))
    outputOf(await run.inside(['note', '1', '-'], { stdin: 'third\n', name: 'git-tasks' }))
    expect(run.repo.task('1').notes).toEqual(['first', 'second\nline', 'third'])
    expect(outputOf(run.repo.gza('log', '1', '--limit', '1'))).toContain('scripted (agent): note')
  })

  test('it files tasks with parts, closes those, and no others', async () => {
    const added = JSON.parse(outputOf(await run.inside(['add', 'A part', '--parent', '1', '--accept', 'a', '--json'])))
    expect(added).toMatchObject({ parent: expect.anything(), created_by: 'scripted', acceptance_criteria: ['a'] })
    outputOf(await run.inside(['import', '-'], { stdin: '- [ ] One\n  - [ ] Two\n' }))
    expect(Object.keys(run.repo.statuses())).toEqual(expect.arrayContaining(['A part', 'One', 'Two']))
    outputOf(await run.inside(['done', added.id, '--note', 'it works']))
    expect(run.repo.task(added.id).status).toBe('completed')
    expect(await run.inside(['done', '3'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/that is not its own task/),
    })
    expect(run.repo.task('3').status).toBe('pending')
  })

  test('a part that it closes waits for a commit on the branch of the run, not on that of the person', async () => {
    const { id } = JSON.parse(outputOf(await run.inside(['add', 'Linked', '--json'])))
    outputOf(await run.inside(['done', id]))
    const branch = run.repo.task('1').branch ?? ''
    const line = run.repo
      .git('cat-file', 'blob', 'refs/tasks/main:tasks.jsonl')
      .split('\n')
      .find((text) => text.includes(id))
    expect(branch).not.toBe('main')
    expect(line).toContain(branch)
  })

  test('it asks, and what it reports as done is left to its worker', async () => {
    expect(outputOf(await run.inside(['ask', '1', 'Which one?']))).toContain('A person will answer')
    expect(await run.inside(['done', '1'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/will be closed by gza/),
    })
    expect(run.repo.task('1').status).toBe('in_progress')
  })
})

describe('what could reach files, programs or others is refused, with the next step', () => {
  const cases: [string[], RegExp][] = [
    [['note', '1', 'x', '--attach', '/etc/passwd'], /note --attach is not available.*\n {2}.*gza note ID -/],
    [['note', '1', 'x', '--attach=/etc/passwd'], /note --attach is not available/],
    [['-C', '/', 'list'], /-C is not available.*\n {2}.*Leave -C out/],
    [['--cwd', '/no/such/folder', 'list'], /-C is not available/],
    [['import', '/etc/passwd'], /import with a file is not available.*\n {2}.*gza import -/],
    [['import', '-', '--update'], /import --update is not available/],
    [['plan', 'import', '/etc/passwd'], /plan is not available.*\n {2}.*gza add "…" --parent ID/],
    [['score', '/etc/passwd'], /score is not available/],
    [['todo', '--file', '/etc/passwd'], /todo is not available/],
    [['query', "SELECT readfile('/etc/passwd')"], /query is not available/],
    [['add', 'x', '--branch', 'other'], /add --branch is not available.*\n {2}.*its own task/],
    [['--branch', 'other', 'add', 'x'], /add --branch is not available/],
    [['guard', '--', 'touch', '/tmp/never'], /guard is not available/],
    [['hook', 'reference-transaction', 'prepared'], /hook is not available/],
    [['work', '--all'], /work is not available.*\n {2}.*gza note ID "…"/],
    [['sync', 'ext::sh -c id'], /sync is not available/],
    [['claim', '--next'], /claim is not available.*\n {2}.*gza add "…"/],
    [['config'], /config is not available/],
    [['edit', '1', '--content', 'x'], /edit is not available/],
    [['__complete', '--', 'show', ''], /__complete is not available/],
  ]
  test.each(cases)('%j', async (argv, refusal) => {
    expect(await run.inside(argv)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(refusal) })
  })

  test('with --json it is an error in JSON', async () => {
    const { code, stdout, stderr } = await run.inside(['work', '--json'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'NOT_IN_BOX', message: expect.any(String), hint: expect.stringContaining('gza note ID') },
    })
  })

  test('the caller’s variables decide nothing outside', async () => {
    const env = {
      ...{ GZA_AGENT: 'mallory', GZA_RUN: 'other', GZA_BRANCH: 'other', GZA_GUARD: '', HOME: '/root', GIT_DIR: '/tmp' },
      ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'alias.x', GIT_CONFIG_VALUE_0: '!id', EDITOR: 'touch /tmp/never' },
    }
    const { id } = JSON.parse(outputOf(await run.inside(['add', 'Named', '--json'], { env })))
    expect(run.repo.task(id)).toMatchObject({ created_by: 'scripted' })
  })

  test('no repository, configuration or link in the agent’s folder is opened', async () => {
    const { cwd } = run.agent
    const gitFile = readFileSync(join(cwd, '.git'), 'utf8')
    const proof = run.repo.beside('executed')
    const nested = run.repo.beside('nested')
    run.repo.run(['git', 'init', '--quiet', nested])
    run.repo.run(['git', '-C', nested, 'config', 'core.fsmonitor', `touch ${proof}; false`])
    run.repo.run(['git', '-C', nested, 'config', 'core.sshCommand', `touch ${proof}; false`])
    writeFileSync(run.repo.beside('secret'), 'secret_key: hidden\n')
    const before = await run.inside(['list'])
    try {
      writeFileSync(join(cwd, '.git'), `gitdir: ${nested}/.git\n`)
      rmSync(join(cwd, 'gza.yaml'))
      symlinkSync(run.repo.beside('secret'), join(cwd, 'gza.yaml'))
      mkdirSync(join(cwd, 'docs'), { recursive: true })
      expect(await run.inside(['list'])).toEqual(before)
      for (const argv of [['why', '2'], ['context'], ['tree'], ['note', '1', 'still there']])
        expect(await run.inside(argv)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('secret') })
      expect(existsSync(proof)).toBe(false)
    } finally {
      writeFileSync(join(cwd, '.git'), gitFile)
      rmSync(join(cwd, 'gza.yaml'))
      run.repo.run(['git', 'checkout', '--', 'gza.yaml'], { cwd })
    }
  })
})

test('40 parallel calls are all made, one after the other', async () => {
  const before = run.repo.task('1').notes.length
  const calls = Array.from({ length: 40 }, (_, at) => run.inside(at % 4 === 0 ? ['note', '1', `note ${at}`] : ['next']))
  const codes = (await Promise.all(calls)).map(({ code, stderr }) => `${code}${stderr}`)
  expect(new Set(codes)).toEqual(new Set(['0']))
  const notes = run.repo.task('1').notes.slice(before)
  expect(notes.length).toBe(10)
  expect(new Set(notes).size).toBe(10)
}, 120_000)

test('standard input is read only where the command needs it', async () => {
  // Opened for reading and writing, a pipe never ends: a call that reads it would never end either.
  const pipe = run.repo.beside('pipe')
  run.repo.run(['mkfifo', pipe])
  const call = (words: string) => ['sh', '-c', `exec "$0" ${words} <>"$1"`, bin('gza'), pipe]
  for (const words of ['list', 'note 1 said', 'add --help', 'note', 'done 1 --note -', 'add "Not read" --accept one'])
    expect((await run.repo.start(call(words), { env: run.boxed, timeout: 30_000 })).code).toBeLessThan(3)
})

test('a text that is too long, or is no text, is refused with the reason', async () => {
  expect(await run.inside(['note', '1', '-'], { stdin: 'x'.repeat(70_000) })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Error: The call has \d+ bytes; at most 65536 are allowed\n {2}\S/),
  })
  const many = Array.from({ length: 300 }, (_, at) => String(at))
  expect(await run.inside(['done', ...many])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/at most 256 arguments/),
  })
})

test('git tasks finds gza through the guard’s shim and through its alias', async () => {
  const { PATH, ...rest } = run.agent.env
  const settings = Object.fromEntries(Object.entries(rest).filter(([name]) => name.startsWith('GIT_CONFIG_')))
  const listed = await run.inside(['list'])
  const cwd = run.repo.beside('')
  const env = { ...run.boxed, ...settings, GZA_GUARD: '1' }
  expect(await run.repo.start(['git', 'tasks', 'list'], { cwd: run.repo.dir, env: { ...env, PATH } })).toEqual(
    await run.inside(['list'], { name: 'git-tasks' }),
  )
  // A login shell has reset PATH.
  const alias = await run.repo.start(['/usr/bin/git', 'tasks', 'list'], {
    cwd: run.repo.dir,
    env: { ...env, PATH: '/usr/bin:/bin' },
  })
  expect(alias.code).toBe(0)
  expect(await run.repo.start(['gza', 'list'], { cwd, env: run.boxed })).toEqual(listed)
})

test('the run then ends with what its agent did', async () => {
  await run.end()
  // Its report came after its question.
  expect(run.repo.statuses().Own).toBe('completed')
  expect(run.repo.gza('verify').code).toBe(0)
})
