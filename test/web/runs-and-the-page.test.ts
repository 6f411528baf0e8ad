import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { answerOf, servePage } from './served-page.ts'

test('a process of a run gets no access to the page, and the person is told', async () => {
  const ask = [
    'curl -s -X POST -H "Origin: $(cat "$beside/origin")" -H "Sec-Fetch-Site: same-origin"',
    '-H "Content-Type: application/json" -d "{\\"token\\":\\"$(cat "$beside/token")\\"}"',
    '"$(cat "$beside/origin")/api/sign-in" > "$beside/answer"; commit a.txt done',
  ].join(' ')
  const repo = anAgentRepo({ else: ask })
  repo.add('Look at the page')
  const page = await servePage(repo)
  writeFileSync(repo.beside('origin'), page.origin)
  writeFileSync(repo.beside('token'), new URL(page.address).hash.slice(1))
  repo.gza('work', '1')
  const { error } = JSON.parse(await Bun.file(repo.beside('answer')).text())
  expect(error.code).toBe('NOT_FOR_AGENTS')
  while (!page.printed().includes('asked for access to the page, and was refused')) await Bun.sleep(20)
  const run = repo.task('1').runs[0]?.run
  const asked = repo.inbox().filter(({ code }) => code === 'PAGE_ASKED')
  expect(asked).toMatchObject([
    { subject: `access by run ${run}`, commands: ['gza logs 1', `gza resolve 'access by run ${run}' --skip`] },
  ])
  expect(asked[0]?.detail).toContain('#1 Look at the page')
  expect(repo.gza('resolve', `access by run ${run}`, '--skip').code).toBe(0)
  expect(repo.inbox().map(({ code }) => code)).not.toContain('PAGE_ASKED')
  // The person's own browser can still use the token.
  const mine = await answerOf(page.post('/api/sign-in', { token: new URL(page.address).hash.slice(1) }, ''))
  expect(mine.bearer).toMatch(/^[\w-]{32}$/)
  await page.stop()
})

test('a run that calls gza web, with or without a server, is refused and in the inbox', async () => {
  const repo = anAgentRepo({
    else: 'env -u GZA_AGENT -u GZA_GUARD gza web --no-open > "$beside/answer" 2>&1; commit a.txt done',
  })
  repo.add('Open the page')
  repo.gza('work', '1')
  expect(await Bun.file(repo.beside('answer')).text()).toContain('web is blocked in agent mode')
  expect(repo.inbox()).toMatchObject([{ code: 'PAGE_ASKED' }])
})

test('work that was started in the page continues when the server ends', async () => {
  const repo = anAgentRepo({
    else: 'until [ -e "$beside/go" ]; do sleep 0.05; done; echo done > done.txt; git add -A; git commit -qm "Do it"',
  })
  repo.add('Do it')
  const page = await servePage(repo)
  const bearer = await page.signIn()
  const id = await page.repository(bearer)
  const started = await page.post(`/api/r/${id}/actions/start`, { command: 'work', refs: ['1'] }, bearer)
  expect(started.status).toBe(200)
  while (repo.calls().length === 0) await Bun.sleep(50)
  await page.stop()
  expect(repo.task('1').status).toBe('in_progress')
  writeFileSync(repo.beside('go'), '')
  while (repo.task('1').status === 'in_progress') await Bun.sleep(100)
  expect(repo.task('1').status).toBe('completed')
})

test('work is not started in a repository whose configuration is not trusted', async () => {
  const repo = anAgentRepo({ else: 'true' })
  repo.add('Do it')
  const page = await servePage(repo.withEnv({ GZA_TRUST: '' }))
  const bearer = await page.signIn()
  const id = await page.repository(bearer)
  const refused = await page.post(`/api/r/${id}/actions/start`, { command: 'work', refs: ['1'] }, bearer)
  expect((await answerOf(refused)).error.code).toBe('NOT_TRUSTED')
  await page.stop()
})
