import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { eventually, isRead, openBrowser, PATIENCE_MS } from './browser.ts'

let first: AgentRepo
let second: AgentRepo
let served: ServedPage
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  const ask = { 'Ask*': 'gza note 1 "blocked: Red or blue?"', else: 'true' }
  first = anAgentRepo(ask)
  second = anAgentRepo(ask)
  first.add('Plain work')
  second.add('Ask a person')
  second.gza('work', '1')
  served = await servePage(first, '--repo', first.dir, '--repo', second.dir)
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, permissions: ['notifications'] })
  context.setDefaultTimeout(PATIENCE_MS)
  page = await context.newPage()
  await page.goto(served.address)
  await page.getByRole('navigation', { name: 'Repositories' }).waitFor()
})

afterAll(async () => {
  await browser.close()
  await served.stop()
})

const repository = (at: number) => page.getByRole('navigation', { name: 'Repositories' }).getByRole('link').nth(at)
const view = (title: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click()

test('of several repositories the one that needs a person comes first, and each has its count', async () => {
  await page.getByText('Red or blue?').first().waitFor()
  await repository(1).locator('.count', { hasText: '1' }).waitFor()
  expect(await repository(0).locator('.count').count()).toBe(0)
  await until(async () => (await page.title()).startsWith('(1) '))
})

test('a change in a repository that is not shown arrives too', async () => {
  await repository(0).click()
  await view('Board')
  await page.getByText('Plain work').waitFor()
  second.gza('answer', '1', 'Blue')
  await repository(1).locator('.count').waitFor({ state: 'detached' })
})

test('? lists the keys, Escape closes the list, and digits choose a view', async () => {
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog')
  await keys.waitFor()
  await keys.getByText('ssh -L').waitFor()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.keyboard.press('3')
  await page.getByRole('heading', { level: 1, name: 'Live' }).waitFor()
})

test('keys do nothing while a person types', async () => {
  await view('Board')
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('3?')
  await eventually(async () => expect(await page.getByRole('searchbox').inputValue()).toBe('3?'))
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('searchbox').fill('')
})

test('the theme is kept by the server, and another tab is signed in by an open one', async () => {
  await page.getByRole('button', { name: 'Dark', exact: true }).click()
  await page.getByRole('button', { name: 'Light', exact: true }).waitFor()
  const other = await context.newPage()
  await other.goto(`${served.origin}/`)
  await other.getByRole('button', { name: 'Light', exact: true }).waitFor()
  await other.close()
})

test('a person who asks for it is notified of what needs them', async () => {
  await page.evaluate(`
    window.notified = []
    window.Notification = class { constructor(title, options) { window.notified.push(title + ' ' + (options?.body ?? '')) } 
      static permission = 'granted'; static requestPermission() { return Promise.resolve('granted') }
      close() {} addEventListener() {} }
  `)
  await page.getByRole('button', { name: 'Notify me' }).click()
  first.add('Ask again')
  first.gza('note', '2', 'blocked: Which one?')
  first.withEnv({ GZA_AGENT: 'someone' }).gza('claim', '2')
  first.withEnv({ GZA_AGENT: 'someone' }).gza('ask', '2', 'Which one?')
  await until(() => page.evaluate('window.notified.length > 0'))
  expect(await page.evaluate('window.notified.length')).toBe(1)
})

test('a lost connection is told, what was known stays, and everything is caught up without a reload', async () => {
  await view('Board')
  await page.route('**/api/events', (route) => route.abort())
  await page.reload()
  await page.getByText('Plain work').waitFor()
  await page.evaluate('window.isSame = true')
  await page.getByText('not connected').waitFor()
  first.add('Filed while away')
  expect(await page.getByText('Plain work').isVisible()).toBe(true)
  await page.unroute('**/api/events')
  await page.getByText('connected again, caught up').waitFor()
  await page.getByText('Filed while away').waitFor()
  expect(await page.evaluate('window.isSame')).toBe(true)
})

test('a server that only shows has no button that changes something', async () => {
  const quiet = await servePage(second, '--read-only')
  const reader = await browser.newPage()
  await reader.goto(quiet.address)
  await reader.getByText('read-only').waitFor()
  const buttons: string[] = []
  for (const title of ['Needs you', 'Board', 'Live', 'Graph', 'Landing', 'Numbers', 'Agents']) {
    await reader.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click()
    await reader.getByRole('heading', { level: 1, name: title }).waitFor()
    await isRead(reader)
    buttons.push(...(await reader.getByRole('button').allInnerTexts()))
  }
  expect(
    buttons.filter((name) => /task|start|undo|answer|land|stop|retry|resolve|skip|lift|assign/i.test(name)),
  ).toEqual([])
  await quiet.stop()
})
