import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'
import { answerOf, openServed, type ServedPage, servePage } from './served-page.ts'

const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz'

let repo: Repo
let page: ServedPage
let bearer: string
let id: string

beforeAll(async () => {
  repo = aRepo({ env: { DEPLOY_PASSWORD: 'correct-horse-battery' } })
  repo.commit('first', {
    'gza.yaml': 'worktree:\n  copy: [.env]\n',
    '.gitignore': '.env\n',
    'a.txt': `one\n`,
  })
  repo.write('.env', 'API_TOKEN=from-the-env-file\n')
  // The writer of the ledger did not have these variables, so nothing was taken out there.
  repo.withEnv({ DEPLOY_PASSWORD: '' }).gza('add', 'Use correct-horse-battery and from-the-env-file')
  page = await servePage(repo)
  bearer = await page.signIn()
  id = await page.repository(bearer)
})

afterAll(() => page.stop())

test('secrets are taken out of what the page is given, as in logs', async () => {
  for (const path of ['tasks/1', 'board', 'tasks/1/prompt', 'graph?all=true']) {
    const text = await (await page.get(`/api/r/${id}/${path}`, bearer)).text()
    expect(text).not.toContain('correct-horse-battery')
    expect(text).not.toContain('from-the-env-file')
  }
  expect(await (await page.get(`/api/r/${id}/tasks/1`, bearer)).text()).toContain('Use [redacted] and [redacted]')
})

test('a refusal has no secret either', async () => {
  const refused = await page.get(`/api/r/${id}/tasks/${encodeURIComponent(SECRET)}`, bearer)
  expect(await refused.text()).not.toContain(SECRET)
})

test('only GET reads, only POST acts, and nothing else is answered', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
    const headers = { 'sec-fetch-site': 'same-origin', origin: page.origin, authorization: `Bearer ${bearer}` }
    expect((await fetch(`${page.origin}/api/r/${id}/board`, { method, headers })).status).toBe(405)
    expect((await fetch(`${page.origin}/`, { method })).status).toBe(405)
  }
})

test('the folder of the socket is for its owner alone, and so is the folder of the page', () => {
  const folder = `/tmp/gza-web-${process.getuid?.()}`
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder)).toContain(`${id}.sock`)
})

test('the browser is given a file that only its owner can read, and no token; the file is gone after the sign-in', async () => {
  const other = aRepo()
  other.commit('first')
  const seen = other.write('seen', '')
  const browser = other.write(
    'browser',
    `#!/bin/sh\nstat -c %a "$1" > ${seen}; cat "$1" >> ${seen}; echo "$1" >> ${seen}; touch ${seen}.done\n`,
  )
  other.run(['chmod', '+x', browser])
  const shown = await openServed(other.withEnv({ BROWSER: browser }), ['web'])
  while (!readdirSync(other.dir).includes('seen.done')) await Bun.sleep(20)
  const [mode, html, path] = readFileSync(seen, 'utf8').trim().split('\n') as [string, string, string]
  const token = new URL(shown.address).hash.slice(1)
  expect(mode).toBe('600')
  expect(html).toContain(token)
  expect(path).not.toContain(token)
  expect(readdirSync(join(path, '..'))).toContain(path.slice(path.lastIndexOf('/') + 1))
  await shown.signIn()
  expect(readdirSync(join(path, '..'))).not.toContain(path.slice(path.lastIndexOf('/') + 1))
  await shown.stop()
})

test('no process has the token in its arguments or in its environment', async () => {
  const { address } = JSON.parse(repo.gza('web', '--no-open', '--json').stdout)
  const token = new URL(address).hash.slice(1)
  const found = readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && ['cmdline', 'environ'].some((file) => textOf(`/proc/${pid}/${file}`).includes(token)),
  )
  expect(found).toEqual([])
})

test('preferences are kept for the person, and are few and short', async () => {
  expect((await page.post('/api/preferences', { name: 'theme', value: 'light' }, bearer)).status).toBe(200)
  expect((await page.get('/api/repositories', bearer)).json()).resolves.toMatchObject({
    preferences: { theme: 'light' },
  })
  for (const bad of [
    { name: '../x', value: '' },
    { name: 'x', value: 'y'.repeat(1001) },
    { name: 'x' },
    { name: 'x', value: 'y', more: 1 },
  ])
    expect((await page.post('/api/preferences', bad, bearer)).status).toBe(400)
  expect((await page.post('/api/preferences', { name: 'x', value: 'y' }, '')).status).toBe(401)
})

test('a fixed port comes with a warning, and a server that shows less is not opened instead', async () => {
  const only = await servePage(repo, '--read-only')
  expect(only.origin).not.toBe(page.origin)
  const reader = await only.signIn()
  const refused = await only.post(`/api/r/${id}/actions/note`, { ref: '1', text: 'planted' }, reader)
  expect((await answerOf(refused)).error.code).toBe('READ_ONLY')
  await only.stop()
  const fixed = repo.gza('web', '--no-open', '--json', '--port', String(page.port))
  expect(fixed.stderr).toContain('Warning: with --port')
  expect(JSON.parse(fixed.stdout).already).toBe(true)
})

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
