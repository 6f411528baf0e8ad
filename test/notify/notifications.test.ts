import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Message } from '../../src/core/notify/message.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { spawnGza } from '../support/spawn-gza.ts'
import { until } from '../support/until.ts'

interface Received {
  path: string
  title: string | null
  body: string
}

const received: Received[] = []
let server: ReturnType<typeof Bun.serve>

beforeAll(() => {
  server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const { pathname: path } = new URL(request.url)
      received.push({ path, title: request.headers.get('Title'), body: await request.text() })
      return new Response('', { status: path === '/refuses/secret' ? 503 : 200 })
    },
  })
})
afterAll(() => server.stop(true))

function configure(repo: Repo, settings: object): void {
  const file = join(repo.env.HOME ?? '', '.config/gza/config.yaml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ notify: settings }))
}

/** There is no desktop here, so a script with that name records its arguments. */
function pathWithNotifySend(repo: Repo): string {
  const folder = join(dirname(repo.dir), 'desktop')
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'notify-send'),
    `#!/bin/sh\nprintf '%s\\n' "$@" >'${join(dirname(repo.dir), 'shown')}'\n`,
    { mode: 0o755 },
  )
  return `${folder}:${repo.env.PATH}`
}

function messages(repo: AgentRepo): Message[] {
  const file = repo.beside('messages')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

const counts = ({ notices }: Message) => notices.map(({ event, task }) => `${event} ${task?.number ?? '-'}`)

test('what happens within a minute is one message: what needs a person, what failed, landed and finished', async () => {
  const acts = { good: 'echo a >>a.txt; git add .; git commit -qm a', bad: 'echo broken >&2; exit 3' }
  const repo = anAgentRepo(acts, { defaults: { max_attempts: 1 }, config: { land: 'merge' } })
  repo.add('good')
  repo.add('bad')
  configure(repo, { command: `cat >>'${repo.beside('messages')}'`, url: `${server.url.origin}/hook` })
  expect((await repo.start(['gza', 'work', '--all'])).code).toBe(1)
  const [message, ...others] = messages(repo)
  expect(others).toEqual([])
  expect(counts(message as Message)).toEqual(['needs-you 2', 'failed 2', 'landed 1', 'finished -'])
  expect(message?.title).toBe('repo: 1 needs you, 1 failed, 1 landed, finished')
  expect(message?.text).toContain('#2 bad: agent-error')
  expect(message?.text).toEndWith('1 completed, 1 landed, 1 failed')
  expect(received.filter(({ path }) => path === '/hook').map(({ body }) => JSON.parse(body))).toEqual([message])
  // What is in the inbox already is not sent again.
  repo.add('good')
  expect((await repo.start(['gza', 'work', '--all'])).code).toBe(0)
  expect(messages(repo).slice(1).map(counts)).toEqual([['landed 3', 'finished -']])
})

test('only the chosen events are sent, also by git tasks run, and a channel that fails does not end the work', () => {
  const repo = anAgentRepo({ else: 'echo a >a.txt; git add .; git commit -qm a; git tasks done 1' })
  repo.add('first')
  configure(repo, { command: `cat >>'${repo.beside('messages')}'; echo no >&2; exit 4`, events: ['finished'] })
  const run = repo.tasks('run', '--once')
  expect([run.code, messages(repo).map(counts)]).toEqual([0, [['finished -']]])
  expect(run.stdout).toContain('notify.command failed: it ended with 4: no')
})

test('a limit of an agent is sent as a pause, with its end', () => {
  const repo = anAgentRepo({ else: 'echo "Claude AI usage limit reached|4102444800"; exit 1' })
  repo.add('first')
  configure(repo, { command: `cat >>'${repo.beside('messages')}'`, events: ['paused'] })
  repo.gza('work', '--all')
  const [message] = messages(repo)
  expect(message?.text).toBe('scripted is at its usage limit until 2100-01-01T00:00:00.000Z')
})

test('an agent that works again after its limit is sent as resumed', async () => {
  const limited = '[ -e "$beside/free" ] || { echo "Claude AI usage limit reached|4102444800"; exit 1; }'
  const repo = anAgentRepo({ else: `${limited}; echo working; commit a.txt a` })
  repo.add('first')
  configure(repo, { command: `cat >>'${repo.beside('messages')}'`, events: ['paused', 'resumed'] })
  const working = repo.start(['gza', 'work', '--all', '--wait'])
  await until(() => repo.why('1') === 'AGENT_PAUSED', 'the agent is paused')
  writeFileSync(repo.beside('free'), '')
  expect(repo.gza('agents', 'resume', 'scripted').code).toBe(0)
  expect((await working).code).toBe(0)
  expect(messages(repo).flatMap(({ notices }) => notices.map(({ event, text }) => [event, text]))).toEqual([
    ['paused', 'scripted is at its usage limit until 2100-01-01T00:00:00.000Z'],
    ['resumed', 'scripted works again'],
  ])
})

test('work that waits for a red base is sent as paused, and as resumed once the base is mended', async () => {
  const repo = anAgentRepo({}, { config: { verify: { command: 'test -e fixed.txt' } } })
  repo.add('first')
  configure(repo, { command: `cat >>'${repo.beside('messages')}'`, events: ['needs-you', 'paused', 'resumed'] })
  const working = spawnGza(repo, 'work', '--all', '--wait')
  await until(() => working.printed().includes('Waiting for another commit'), 'it waits')
  const red = repo.git('rev-parse', '--short=7', 'main')
  repo.commit('fix', { 'fixed.txt': '' })
  expect((await working.ended).code).toBe(0)
  const detail = `main (${red}) fails its own checks: test -e fixed.txt exited with 1.`
  expect(messages(repo).flatMap(({ notices }) => notices.map(({ event, text }) => [event, text]))).toEqual([
    ['paused', `${detail} Work waits for another commit on main.`],
    ['resumed', 'the base passes its checks, and work continues'],
  ])
})

test('notify --test reports each channel, and never prints an address', async () => {
  const repo = aRepo()
  repo.commit('first')
  expect(repo.gza('notify').stderr).toContain('No notifications are configured')
  configure(repo, { command: 'cat >/dev/null', url: `${server.url.origin}/topic/secret`, form: 'ntfy' })
  expect(repo.gza('notify').stdout).toBe(
    'You are notified by: command, url\n' +
      'Events: needs-you, failed, landed, paused, resumed, finished\n' +
      'gza notify --test sends a test message\n',
  )
  const sent = await repo.start(['git', 'tasks', 'notify', '--test', '--json'])
  const results = {
    channels: ['command', 'url'],
    sent: ['command', 'url'].map((channel) => ({ channel, failure: null })),
  }
  expect([sent.code, JSON.parse(sent.stdout)]).toEqual([0, expect.objectContaining(results)])
  expect(received.at(-1)?.body).toBe('This is a test message.')
  configure(repo, { desktop: true })
  expect(repo.gza('notify', '--test').code).toBe(1)
  const shown = repo.run(['gza', 'notify', '--test'], { env: { PATH: pathWithNotifySend(repo) } })
  expect(shown.stdout).toBe('desktop: sent\n')
  expect(readFileSync(join(dirname(repo.dir), 'shown'), 'utf8')).toBe(
    '--app-name=gza\n--\nrepo: finished\nThis is a test message.\n',
  )
  configure(repo, { url: `${server.url.origin}/refuses/secret` })
  const refused = await repo.start(['gza', 'notify', '--test'])
  expect([refused.code, refused.stdout]).toEqual([1, 'url: it answered with 503\n'])
  expect(repo.gza('config', 'notify').stdout).not.toContain('secret')
})

test('agents cannot send notifications, and bad settings are named', () => {
  const repo = aRepo()
  repo.commit('first')
  configure(repo, { bell: true })
  const agent = repo.withEnv({ GZA_AGENT: 'x' }).gza('notify', '--test')
  expect([agent.code, agent.stderr]).toEqual([1, expect.stringContaining('notify is blocked in agent mode')])
  expect(repo.gza('notify', '--test').stdout).toBe('bell: there is no terminal\n')
  configure(repo, { url: 'ftp://x/' })
  expect(repo.gza('notify').stderr).toContain('notify.url must be an http or https address')
  configure(repo, { events: ['lunch'] })
  expect(repo.gza('notify').stderr).toContain('must be one of needs-you, failed')
})
