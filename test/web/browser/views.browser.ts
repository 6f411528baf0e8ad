import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { AgentRepo } from '../../support/scripted-agent.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { axeFinds } from './axe.ts'
import { eventually, isRead, openBrowser, openPage } from './browser.ts'
import { aWorkedRepo } from './worked-repo.ts'

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]
let working: Promise<unknown>

beforeAll(async () => {
  repo = aWorkedRepo()
  working = repo.start([join(import.meta.dir, '../../../dist/gza'), 'work', '7'])
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
})

afterAll(async () => {
  repo.gza('kill', '7')
  await browser.close()
  await served.stop()
  await working
})

const view = (title: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click()
const column = (title: string) => page.getByRole('region', { name: title })

test('what needs a person comes first, and the token is gone from the address', async () => {
  await page.getByRole('heading', { level: 1, name: 'Needs you' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.getByText('Red or blue?').waitFor()
  await page.getByText('cannot do this').first().waitFor()
})

test('the board has every task in its column', async () => {
  await view('Board')
  await column('Ready').getByText('Write the <script>alert(1)</script> parser').waitFor()
  await column('Blocked').getByText('Use the parser').waitFor()
  await column('Running').getByText('Take long').waitFor()
  await column('Needs you').getByText('Choose a colour').waitFor()
  await column('To land').getByText('Add the second file').waitFor()
  await column('Landed').getByText('Add the first file').waitFor()
  await column('Failed').getByText('Break it').waitFor()
})

test('a change of another process is on the board without a reload', async () => {
  await page.evaluate('window.isSame = true')
  repo.add('Filed meanwhile')
  await column('Ready').getByText('Filed meanwhile').waitFor()
  expect(await page.evaluate('window.isSame')).toBe(true)
})

test('the filter keeps the cards that match', async () => {
  await page.getByPlaceholder('Filter').fill('meanwhile')
  await page.locator('.card').nth(1).waitFor({ state: 'detached' })
  expect(await page.locator('.card').count()).toBe(1)
  await page.getByPlaceholder('Filter').fill('')
})

test('a running agent is seen as it works', async () => {
  await view('Live')
  await page.getByRole('log').getByText('thinking about it').waitFor()
})

test('the graph leads to its tasks', async () => {
  await view('Graph')
  await page.locator('.node', { hasText: 'Use the parser' }).click()
  await page.getByRole('heading', { level: 1, name: 'Use the parser' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Graph' }).waitFor()
})

test('what waits to land has its diff, and lands after a confirmation', async () => {
  await view('Landing')
  await page.getByRole('link', { name: 'Diff' }).click()
  await page.locator('.line-added').first().waitFor()
  await view('Landing')
  await page.getByRole('button', { name: 'Land #2' }).click()
  await page.getByText('Then main moves forward').waitFor()
  await page.getByRole('group', { name: 'Confirm: Land #2' }).getByRole('button', { name: 'Land #2' }).click()
  await page.getByText('Nothing waits to land').waitFor()
  expect(repo.git('log', '--format=%s', 'main')).toContain('Add the second file')
})

test('numbers and agents name who has worked, and how many tasks', async () => {
  await view('Numbers')
  const worked = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'scripted' }) })
  expect(await worked.getByRole('cell').first().innerText()).toBe('chosen by the client')
  await view('Agents')
  const agents = page.getByRole('region', { name: 'Agents with tasks, table' })
  const agent = agents.getByRole('row').filter({ hasText: 'Take long' }).getByRole('cell')
  expect(await agent.first().innerText()).toBe('scripted')
  expect(await agent.nth(3).innerText()).toMatch(/^[1-9]\d*$/)
})

test('a task says why it is not running', async () => {
  await view('Board')
  await column('Blocked').getByText('Use the parser').click()
  await page.locator('.task .why', { hasText: '#5' }).waitFor()
})

test('an answer survives a reload as a draft, and makes the task ready', async () => {
  await view('Needs you')
  await page.getByLabel('Your answer').fill('Blue')
  await page.reload()
  await eventually(async () => expect(await page.getByLabel('Your answer').inputValue()).toBe('Blue'))
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByText('Red or blue?').waitFor({ state: 'detached' })
  expect(repo.why('3')).toBe('READY')
})

test('a failed task is skipped after its consequence was named', async () => {
  await page.getByRole('button', { name: 'Skip it' }).click()
  await page.getByText('gza resolve 4 --skip').waitFor()
  await page.getByRole('group', { name: 'Confirm: Skip it' }).getByRole('button', { name: 'Skip it' }).click()
  await page.getByText('Nothing needs you').waitFor()
  expect(repo.task('4').status).toBe('skipped')
})

test('a note is in the ledger', async () => {
  await view('Board')
  await column('Ready').getByText('Write the <script>').click()
  await page.getByLabel('Add a note').fill('Mind the commas')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('listitem').getByText('Mind the commas').waitFor()
  expect(repo.task('5').notes).toEqual(['Mind the commas'])
})

test('axe finds nothing in any view, dark and light, wide and narrow', async () => {
  const found: string[] = []
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const theme of ['Light', 'Dark']) {
      const button = page.getByRole('button', { name: theme, exact: true })
      if (await button.isVisible()) await button.click()
      for (const title of ['Needs you', 'Board', 'Live', 'Graph', 'Landing', 'Numbers', 'Agents']) {
        await view(title)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await isRead(page)
        found.push(...(await axeFinds(page)).map((each) => `${title}, ${theme}, ${width}: ${each}`))
      }
    }
  }
  expect(found).toEqual([])
})

test('nothing went wrong in the page, and no request left the server', () => {
  expect(problems).toEqual([])
})

test('a page whose server has ended says so, and keeps what it shows', async () => {
  await view('Board')
  await column('Ready').getByText('Filed meanwhile').waitFor()
  await served.stop()
  await page.getByText('not connected').waitFor()
  await column('Ready').getByText('Filed meanwhile').waitFor()
})
