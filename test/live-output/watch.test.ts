import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import type { Repo } from '../support/repo.ts'
import { until } from '../support/until.ts'
import { aGatedRepo, type GatedRepo, settled } from './gated-agent.ts'
import { onTerminal, type Terminal } from './pseudo-terminal.ts'

/** One task failed, one waits for another, and two are ready: enough for every section. */
function aBusyRepo(): GatedRepo {
  const repo = aGatedRepo('case $branch in *fails) exit 1 ;; esac; echo "I read the code"; gate; commit')
  repo.gza('add', 'This one fails', '--max-attempts', '1')
  repo.gza('work', '1')
  repo.gza('add', 'Write the parser')
  repo.gza('add', 'Write the lexer', '-t', 'implement')
  repo.gza('add', 'Release it', '--after', '3')
  return repo
}

function watchOn(repo: Repo, size: { columns?: number; rows?: number } = {}): Terminal {
  return onTerminal(['gza', 'watch'], { cwd: repo.dir, env: repo.env, ...size })
}

test('without a terminal everything is printed once', async () => {
  const repo = aBusyRepo()
  const work = repo.start(['gza', 'work', '2'])
  await until(() => repo.gza('ps').stdout.includes('I read'))
  repo.run(['gza', 'claim', '3'], { env: { GZA_AGENT: 'codex' } })
  const { code, stdout, stderr } = repo.gza('watch')
  expect({ code, stdout: settled(stdout), stderr }).toEqual({
    code: 0,
    stdout: `main: 2 in_progress, 0 ready, 1 blocked, 0 completed, 1 failed

Running
  #2  scripted  working  Ns  Write the parser  I read the code
  #3  codex     elsewhere  Ns  Write the lexer

Needs you
  AGENT_ERROR #1 This one fails: exit code 1

Queue
  #4 Release it (blocked by #3)
`,
    stderr: '',
  })
  const json = JSON.parse(repo.gza('watch', '--json').stdout)
  expect(Object.keys(json)).toEqual(['ledger', 'counts', 'inbox', 'queue', 'runs', 'elsewhere'])
  repo.openGate()
  await work
})

test('on a terminal the view fills it, follows what happens, and q gives the terminal back', async () => {
  const repo = aBusyRepo()
  const terminal = onTerminal(
    ['sh', '-c', 'echo before; stty -g | cksum; gza watch; stty -g | cksum; echo after'],
    repoPlace(repo),
  )
  await terminal.until((lines) => lines.includes('  #2 Write the parser'))
  expect({ isAlternate: terminal.screen.isAlternate(), isCursorShown: terminal.screen.isCursorShown() }).toEqual({
    isAlternate: true,
    isCursorShown: false,
  })
  const work = repo.start(['gza', 'work', '2'])
  const lines = await terminal.until((shown) => shown.some((line) => line.includes('I read the code')))
  expect(lines.map(settled)).toEqual([
    'main: 1 in_progress, 1 ready, 1 blocked, 0 completed, 1 failed          HH:MM:SS',
    '',
    'Running',
    '  #2  scripted  working  Ns  Write the parser  I read the code',
    '',
    'Needs you',
    '  AGENT_ERROR #1 This one fails: exit code 1',
    '',
    'Queue',
    '  #3 [implement] Write the lexer',
    '  #4 Release it (blocked by #3)',
    ...Array.from({ length: 12 }, () => ''),
    'q quits',
  ])
  repo.openGate()
  await work
  await terminal.until((shown) => shown[0]?.includes('1 completed') ?? false)
  terminal.type('q')
  expect(await terminal.exited).toBe(0)
  const [before, modes, modesAfter, after] = terminal.screen.lines()
  expect({ before, after, isCursorShown: terminal.screen.isCursorShown() }).toEqual({
    before: 'before',
    after: 'after',
    isCursorShown: true,
  })
  expect(modesAfter).toBe(modes as string)
})

test('no line is wider than the terminal, whatever its size, and a resize is followed at once', async () => {
  const repo = aBusyRepo()
  for (let at = 0; at < 5; at++) repo.gza('add', `漢字 ${'long '.repeat(40)}`)
  const terminal = watchOn(repo, { columns: 40, rows: 12 })
  await terminal.until((lines) => lines.at(-1) === 'q quits')
  expect(terminal.screen.lines()).toEqual(
    [
      'main: 0 in_progress, 7 ready, 1 blocked,',
      '',
      'Running',
      '  nothing',
      '',
      'Needs you',
      '  AGENT_ERROR #1 This one fails: exit co',
      '',
      'Queue',
      '  #2 Write the parser',
      '  … 7 more',
      'q quits',
    ].map((line) => (line.length === 40 ? `${line.slice(0, 39)}…` : line)),
  )
  terminal.resize(30, 8)
  await terminal.until((lines) => lines.length === 8 && lines[0]?.length === 30)
  expect(terminal.screen.lines().at(-1)).toBe('q quits')
  terminal.type('q')
  expect(await terminal.exited).toBe(0)
})

test('Ctrl-C and a signal give the terminal back like q', async () => {
  const repo = aBusyRepo()
  const ends: ((terminal: Terminal) => void)[] = [
    (terminal) => terminal.type('\x03'),
    (terminal) => terminal.kill('SIGTERM'),
    (terminal) => terminal.kill('SIGHUP'),
  ]
  for (const end of ends) {
    const terminal = watchOn(repo)
    await terminal.until((lines) => lines.at(-1) === 'q quits')
    end(terminal)
    expect(await terminal.exited).toBe(0)
    expect({
      lines: terminal.screen.lines(),
      isAlternate: terminal.screen.isAlternate(),
      isCursorShown: terminal.screen.isCursorShown(),
    }).toEqual({ lines: [], isAlternate: false, isCursorShown: true })
  }
})

test('an error while watching is printed on the terminal that was given back', async () => {
  const repo = aBusyRepo()
  const terminal = watchOn(repo)
  await terminal.until((lines) => lines.at(-1) === 'q quits')
  rmSync(repo.dir, { recursive: true })
  expect(await terminal.exited).toBe(1)
  expect(terminal.screen.isCursorShown()).toBe(true)
  expect(terminal.screen.lines().join('\n')).toContain('Error: ')
})

function repoPlace(repo: Repo) {
  return { cwd: repo.dir, env: repo.env }
}
