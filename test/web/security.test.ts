import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { aRepo, type Repo } from '../support/repo.ts'
import { answerOf, type ServedPage, servePage } from './served-page.ts'

let repo: Repo
let page: ServedPage
let bearer: string
let id: string

beforeAll(async () => {
  repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Write the parser')
  page = await servePage(repo)
  bearer = await page.signIn()
  id = await page.repository(bearer)
})

afterAll(() => page.stop())

test('a token works once', async () => {
  const again = await page.post('/api/sign-in', { token: new URL(page.address).hash.slice(1) }, '')
  expect(again.status).toBe(401)
  expect((await answerOf(again)).error.code).toBe('NOT_SIGNED_IN')
})

test('without a bearer, or with a wrong one, nothing is told', async () => {
  for (const path of ['/api/repositories', `/api/r/${id}/board`, '/api/events']) {
    expect((await page.get(path, '')).status).toBe(401)
    expect((await page.get(path, `${bearer}x`)).status).toBe(401)
  }
})

test('a request under another name of this machine is refused', async () => {
  for (const host of [`localhost:${page.port}`, 'evil.example', `127.0.0.1:${page.port + 1}`]) {
    expect(await rawStatus(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toBe(421)
  }
})

test('another origin, another site and a plain form are refused', async () => {
  const board = `/api/r/${id}/board`
  expect((await page.get(board, bearer, { origin: 'http://127.0.0.1:3000' })).status).toBe(403)
  expect((await page.get(board, bearer, { 'sec-fetch-site': 'same-site' })).status).toBe(403)
  expect((await page.get(board, bearer, { 'sec-fetch-site': 'none' })).status).toBe(403)
  const note = { ref: '1', text: 'planted' }
  const path = `/api/r/${id}/actions/note`
  expect((await page.post(path, note, bearer, { origin: 'null' })).status).toBe(403)
  expect((await page.post(path, note, bearer, { 'content-type': 'text/plain' })).status).toBe(415)
  expect(repo.gza('show', '1').stdout).not.toContain('planted')
})

test('every answer forbids scripts from elsewhere and frames', async () => {
  for (const path of ['/', '/x/board', '/api/repositories']) {
    const { headers } = await fetch(page.origin + path)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('set-cookie')).toBeNull()
  }
})

test('a repository is named by its id, never by a path', async () => {
  for (const name of ['..', encodeURIComponent('/etc'), 'x', '%00'])
    expect((await page.get(`/api/r/${name}/board`, bearer)).status).toBe(404)
})

test('what nobody asked for does not break the server', async () => {
  for (const body of ['', '{', '[]', 'null', '{"ref":1}', JSON.stringify({ ref: '1', text: 'x', more: 1 })]) {
    expect([400, 404, 409]).toContain((await page.post(`/api/r/${id}/actions/note`, body, bearer)).status)
  }
  for (const path of ['nothing', 'tasks/999', 'tasks/%ff', 'tasks/1/texts/..%2f..%2fconfig'])
    expect([404, 409]).toContain((await page.get(`/api/r/${id}/${path}`, bearer)).status)
  expect((await page.get(`/api/r/${id}/board`, bearer)).status).toBe(200)
})

test('no other process can listen at the same port, not even if it wants to share it', () => {
  const share = (port: number) =>
    Bun.serve({ hostname: '127.0.0.1', port, reusePort: true, fetch: () => new Response('mine') })
  expect(() => share(page.port)).toThrow('in use')
})

test('agents do not get the page', () => {
  const refused = repo.withEnv({ GZA_AGENT: 'codex' }).gza('web', '--no-open')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('web is blocked in agent mode')
})

test('a second gza web opens the running server, with a token of its own', async () => {
  const second = repo.gza('web', '--no-open', '--json')
  const { address, already } = JSON.parse(second.stdout)
  expect(already).toBe(true)
  expect(new URL(address).origin).toBe(page.origin)
  const answer = await page.post('/api/sign-in', { token: new URL(address).hash.slice(1) }, '')
  expect(answer.status).toBe(200)
})

function rawStatus(request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(page.port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (bytes) => (text += bytes))
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])))
    socket.on('error', reject)
  })
}
