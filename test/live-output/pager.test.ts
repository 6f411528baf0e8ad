import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bin } from '../support/built-program.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { runProcess } from '../support/run-process.ts'
import { until } from '../support/until.ts'
import { onTerminal, type Terminal } from './pseudo-terminal.ts'

const folder = mkdtempSync('/var/tmp/gza-pager-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** 40 tasks: more than a terminal of 24 lines shows. */
function aLongList(): Repo {
  const repo = aRepo()
  repo.commit('first')
  const lines = Array.from({ length: 40 }, (_, at) => `- [ ] Task ${at + 1}`)
  repo.run(['gza', 'import', '-', '--format', 'markdown'], { stdin: `${lines.join('\n')}\n` })
  return repo
}

const repo = aLongList()

function gza(args: readonly string[], env: Record<string, string> = {}): Terminal {
  return onTerminal(['gza', ...args], { cwd: repo.dir, env: { ...repo.env, ...env } })
}

async function written(args: readonly string[], env: Record<string, string> = {}) {
  const terminal = gza(args, env)
  const code = await terminal.exited
  const text = Bun.stripANSI(terminal.written()).replaceAll('\r\n', '\n')
  return { code, raw: terminal.written(), text, lines: text.trimEnd().split('\n') }
}

/** A pager that shows that it was there. */
const MARKED = "sed 's/^/paged: /'"

for (const args of [['list'], ['ready'], ['next'], ['tree'], ['list', '--json'], ['status', '--limit', '40']]) {
  test(`${args.join(' ')} goes through the pager where it is longer than the terminal`, async () => {
    const { code, lines } = await written(args, { GZA_PAGER: MARKED })
    expect({ code, others: lines.filter((line) => !line.startsWith('paged: ')) }).toEqual({ code: 0, others: [] })
    expect(lines.length).toBeGreaterThanOrEqual(40)
  })
}

test('what fits on the terminal goes straight out: no pager, no git', async () => {
  const trace = join(folder, 'short.trace')
  const { code, lines } = await written(['list', '--limit', '20'], { GZA_PAGER: MARKED, GIT_TRACE: trace })
  expect({ code, count: lines.length, first: lines[0] }).toMatchObject({ code: 0, count: 20 })
  expect(lines[0]).toEndWith(': Task 1')
  expect(existsSync(trace)).toBe(false)
})

test('a line that the terminal wraps counts as several', async () => {
  const wide = aRepo()
  wide.commit('first')
  for (let at = 0; at < 13; at++) wide.gza('add', `${at} ${'x'.repeat(300)}`)
  const terminal = onTerminal(['gza', 'log'], { cwd: wide.dir, env: { ...wide.env, GZA_PAGER: MARKED }, columns: 30 })
  expect(await terminal.exited).toBe(0)
  expect(Bun.stripANSI(terminal.written())).toStartWith('paged: ')
})

test('the pager is the one that git would use, unless GZA_PAGER names another', async () => {
  const other = aLongList()
  const pagedBy = async (env: Record<string, string>) => {
    const terminal = onTerminal(['gza', 'list'], { cwd: other.dir, env: { ...other.env, ...env } })
    await terminal.exited
    return /^\w+ /.exec(Bun.stripANSI(terminal.written()))?.[0].trim() ?? 'none'
  }
  const by = (name: string) => `sed 's/^/${name} /'`
  expect(await pagedBy({ PAGER: by('pager') })).toBe('pager')
  other.git('config', 'core.pager', by('config'))
  expect(await pagedBy({ PAGER: by('pager') })).toBe('config')
  expect(await pagedBy({ PAGER: by('pager'), GIT_PAGER: by('git') })).toBe('git')
  expect(await pagedBy({ GIT_PAGER: by('git'), GZA_PAGER: by('gza') })).toBe('gza')
  expect(await pagedBy({ GZA_PAGER: '' })).toBe('none')
  expect(await pagedBy({ GZA_PAGER: 'cat' })).toBe('none')
  expect(await pagedBy({ GIT_PAGER: 'cat' })).toBe('none')
})

test('--no-pager before or after the command prints everything at once, and an agent never gets a pager', async () => {
  const pager = { GZA_PAGER: MARKED }
  for (const args of [
    ['--no-pager', 'list'],
    ['list', '--no-pager'],
    ['--no-pager', 'status'],
    ['status', '--no-pager'],
  ])
    expect((await written(args, pager)).text).not.toContain('paged')
  expect((await written(['status', '--no-pager'], pager)).lines.filter((line) => line.includes('Task '))).toHaveLength(
    40,
  )
  const agent = await written(['list', '--limit', '40'], { ...pager, GZA_AGENT: 'codex' })
  expect({ count: agent.lines.length, isPaged: agent.text.includes('paged') }).toEqual({ count: 40, isPaged: false })
})

test('through a pipe nothing is paged, and git is not asked', () => {
  const trace = join(folder, 'pipe.trace')
  const piped = repo.run(['gza', 'list'], { env: { GZA_PAGER: MARKED, GIT_TRACE: trace } })
  expect(piped.stdout.trimEnd().split('\n')).toHaveLength(40)
  expect(piped.stdout).not.toContain('paged')
  expect(existsSync(trace)).toBe(false)
})

test('colours are kept, and less is asked to show them, unless LESS is set', async () => {
  expect((await written(['list'], { GZA_PAGER: 'sed -n 1p' })).raw).toContain('\x1b[33m')
  expect((await written(['list'], { GZA_PAGER: 'echo "LESS=$LESS LV=$LV"' })).text).toBe('LESS=FRX LV=-c\n')
  expect((await written(['list'], { GZA_PAGER: 'echo "LESS=$LESS"', LESS: 'S' })).text).toBe('LESS=S\n')
})

test('a pager that ends early ends gza quietly, however much is left', async () => {
  const many = aRepo()
  many.commit('first')
  const lines = Array.from({ length: 3000 }, (_, at) => `- [ ] Task ${at} ${'x'.repeat(100)}`)
  many.run(['gza', 'import', '-', '--format', 'markdown'], { stdin: `${lines.join('\n')}\n` })
  for (const pager of ['head -1 >/dev/null', 'true', 'exit 3']) {
    const terminal = onTerminal(['gza', 'list', '--json'], { cwd: many.dir, env: { ...many.env, GZA_PAGER: pager } })
    expect({ pager, code: await terminal.exited, written: terminal.written() }).toEqual({ pager, code: 0, written: '' })
  }
})

test('a pager that cannot be started is replaced by plain output, and named', async () => {
  const { code, lines } = await written(['list'], { GZA_PAGER: 'no-such-pager' })
  expect(code).toBe(0)
  expect(lines.filter((line) => line.includes(': Task '))).toHaveLength(40)
  expect(lines.at(-1)).toBe(
    'Warning: The pager no-such-pager could not be started. GZA_PAGER names another one; cat means none.',
  )
})

if (Bun.which('tmux') !== null && Bun.which('less') !== null) {
  const socket = join(folder, 'socket')
  const tmux = (...args: string[]): string => {
    const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' }
    return runProcess(['tmux', '-S', socket, '-f', '/dev/null', ...args], { env }).stdout
  }
  afterAll(() => void tmux('kill-server'))

  test('Ctrl-C in less is for less, and q brings the shell back', async () => {
    const end = join(folder, 'end')
    const env = Object.entries({ ...repo.env, GZA: bin('gza') }).flatMap(([key, value]) => ['-e', `${key}=${value}`])
    // The shell gets Ctrl-C too.
    const shell = `trap : INT; "$GZA" list; echo "ended with $?" >'${end}'; exec sleep 60`
    tmux('new-session', '-d', '-s', 'less', '-x', '80', '-y', '24', '-c', repo.dir, ...env, 'sh', '-c', shell)
    const lines = () => tmux('capture-pane', '-p', '-t', 'less').trimEnd().split('\n')
    await until(() => lines().at(-1) === ':')
    expect(lines()[22]).toEndWith(': Task 23')
    tmux('send-keys', '-t', 'less', 'C-c')
    // less forgets the keys that were typed before it has seen Ctrl-C.
    await until(() => {
      tmux('send-keys', '-t', 'less', 'G')
      return lines().some((line) => line.endsWith(': Task 40'))
    })
    expect(existsSync(end)).toBe(false)
    tmux('send-keys', '-t', 'less', 'q')
    await until(() => existsSync(end) && readFileSync(end, 'utf8') !== '')
    expect(readFileSync(end, 'utf8')).toBe('ended with 0\n')
  })
}
