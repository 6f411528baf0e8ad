import { afterAll, expect, test } from 'bun:test'
import { aRepo, type Repo } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { answerOf, type ServedPage, servePage } from './served-page.ts'

const opened: ServedPage[] = []

afterAll(async () => {
  for (const page of opened) await page.stop()
})

async function serve(repo: Repo, ...flags: string[]): Promise<ServedPage> {
  const page = await servePage(repo, ...flags)
  opened.push(page)
  return page
}

function aPlainRepo(): Repo {
  const repo = aRepo()
  repo.commit('first')
  return repo
}

/** One that was free a moment ago. */
function freePort(): number {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  server.stop(true)
  return server.port
}

async function namesOf(page: ServedPage): Promise<unknown> {
  return ((await answerOf(page.get('/api/repositories', await page.signIn()))) as unknown as { repositories: unknown })
    .repositories
}

test('--port chooses the port, with a warning; a port that is taken is refused with the way out', async () => {
  const repo = aPlainRepo()
  const port = freePort()
  const page = await serve(repo, '--port', String(port))
  expect(page.port).toBe(port)
  expect(page.printed()).toContain('Warning: with --port')
  const other = aPlainRepo().gza('web', '--no-open', '--port', String(port))
  expect(other.code).toBe(1)
  expect(other.stderr).toContain(`Port ${port} of 127.0.0.1 cannot be used: another program has it`)
  expect(other.stderr).toContain('Leave --port out')
})

test('without --port each start has another one', async () => {
  const repo = aPlainRepo()
  const first = await servePage(repo)
  await first.stop()
  const second = await serve(repo)
  expect(second.port).not.toBe(first.port)
})

test('--repo shows several repositories, each once, in the order given', async () => {
  const [first, second] = [aPlainRepo(), aPlainRepo()]
  const page = await serve(first, '--repo', second.dir, '--repo', first.dir, '--repo', second.dir)
  expect(await namesOf(page)).toEqual([
    { id: expect.stringMatching(/^[0-9a-f]{10}$/), name: 'repo', folder: second.dir },
    { id: expect.stringMatching(/^[0-9a-f]{10}$/), name: 'repo', folder: first.dir },
  ])
  // Both are served: a second call for either of them opens this server.
  for (const repo of [first, second]) {
    const { address, already } = JSON.parse(repo.gza('web', '--no-open', '--json').stdout)
    expect([already, new URL(address).origin]).toEqual([true, page.origin])
  }
})

test('a folder that is in no repository is refused', () => {
  const repo = aPlainRepo()
  const refused = repo.gza('web', '--no-open', '--repo', repo.dir, '--repo', '/')
  expect(refused.code).toBe(1)
  expect(refused.stdout).toBe('')
})

test('a server that shows fewer repositories is not opened instead', async () => {
  const [first, second] = [aPlainRepo(), aPlainRepo()]
  const one = await serve(first)
  const both = await serve(first, '--repo', first.dir, '--repo', second.dir)
  expect(both.origin).not.toBe(one.origin)
  expect(await namesOf(both)).toHaveLength(2)
})

test('neither an agent nor a process of a run gets the address of a running server', async () => {
  const repo = anAgentRepo({
    else: [
      'gza web --no-open --json > "$beside/as-agent" 2>&1',
      'env -u GZA_AGENT -u GZA_GUARD gza web --no-open --json > "$beside/as-person" 2>&1',
      'commit a.txt done',
    ].join('\n'),
  })
  repo.add('Open the page')
  const page = await serve(repo)
  expect(repo.gza('work', '1').code).toBe(0)
  for (const name of ['as-agent', 'as-person']) {
    const answer = await Bun.file(repo.beside(name)).text()
    expect(answer).toContain('web is blocked in agent mode')
    expect(answer).not.toContain(page.origin)
  }
  expect(repo.inbox().map(({ code }) => code)).toContain('PAGE_ASKED')
})
