import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'
import { answerOf, servePage } from './served-page.ts'

test('an action needs the version that was shown, and is refused after another change', async () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Write the parser')
  const page = await servePage(repo)
  const bearer = await page.signIn()
  const id = await page.repository(bearer)
  const { value } = await answerOf(page.get(`/api/r/${id}/tasks/1`, bearer))
  const expected = { ref: '1', version: value.version }
  repo.gza('note', '1', 'from a terminal')
  const late = await page.post(`/api/r/${id}/actions/note`, { ref: '1', text: 'from the page', expected }, bearer)
  expect(late.status).toBe(409)
  expect((await answerOf(late)).error).toEqual({
    code: 'TASK_CHANGED',
    message: expect.stringContaining('has changed since you looked at it'),
    hint: 'Nothing was done. Look at it again, then decide.',
  })
  const { value: now } = await answerOf(page.get(`/api/r/${id}/tasks/1`, bearer))
  const body = { ref: '1', text: 'from the page', expected: { ref: '1', version: now.version } }
  expect((await page.post(`/api/r/${id}/actions/note`, body, bearer)).status).toBe(200)
  const notes = JSON.parse(repo.gza('show', '1', '--json').stdout).notes as string[]
  expect(notes).toEqual(['from a terminal', 'from the page'])
  expect(await page.stop()).toBe(0)
})

test('with --read-only nothing can be changed', async () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Write the parser')
  const page = await servePage(repo, '--read-only')
  const bearer = await page.signIn()
  const id = await page.repository(bearer)
  const refused = await page.post(`/api/r/${id}/actions/note`, { ref: '1', text: 'x' }, bearer)
  expect([refused.status, (await answerOf(refused)).error.code]).toEqual([403, 'READ_ONLY'])
  expect(await page.stop()).toBe(0)
})

test('a change by another process is told within a second', async () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Write the parser')
  const page = await servePage(repo)
  const bearer = await page.signIn()
  const id = await page.repository(bearer)
  const stream = await page.get('/api/events', bearer)
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('event: hello')
  repo.gza('add', 'Write the lexer')
  let told = ''
  while (!told.includes('event: changed')) told += (await reader.read()).value ?? ''
  expect(told).toContain(`data: {"repository":"${id}"}`)
  await reader.cancel()
  expect(await page.stop('SIGTERM')).toBe(0)
})
