import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { AgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { openBrowser, openPage } from './browser.ts'
import { aWorkedRepo } from './worked-repo.ts'

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let working: Promise<unknown>

beforeAll(async () => {
  repo = aWorkedRepo()
  repo.add('Add the third file')
  repo.gza('work', '8')
  for (const title of ['Alone one', 'Alone two']) repo.add(title)
  working = repo.start([join(import.meta.dir, '../../../dist/gza'), 'work', '7'])
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page } = await openPage(browser, served))
})

afterAll(async () => {
  repo.gza('kill', '7')
  await browser.close()
  await served.stop()
  await working
})

/** The place of the row with the focus among all rows; -1: none has it. */
const focusedRow = () =>
  page.evaluate(
    `[...document.querySelectorAll('#view [data-row]')].findIndex((row) => row.contains(document.activeElement))`,
  )

/** View, and how many rows it has at least. */
const VIEWS: [title: string, least: number][] = [
  ['Needs you', 2],
  ['Board', 5],
  ['Live', 1],
  ['Graph', 2],
  ['Landing', 2],
  ['Agents', 4],
]

test.each(VIEWS)('in %s, j and k go through its rows, one after the other', async (title, least) => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  const rows = page.locator('#view [data-row]')
  await rows.nth(least - 1).waitFor()
  for (let at = 0; at < least; at++) {
    await page.keyboard.press('j')
    await until(async () => (await focusedRow()) === at, `j leads to row ${at} of ${title}`)
  }
  for (let at = least - 2; at >= 0; at--) {
    await page.keyboard.press('k')
    await until(async () => (await focusedRow()) === at, `k leads back to row ${at} of ${title}`)
  }
  await page.keyboard.press('k')
  expect(await focusedRow()).toBe(0)
})

test('the row that j leads to opens with Enter, and the list of keys names them', async () => {
  await page.keyboard.press('2')
  await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor()
  await page.locator('.card').first().waitFor()
  await page.keyboard.press('j')
  await until(async () => (await focusedRow()) === 0)
  const title = await page.locator('.card .title').first().innerText()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await keys.getByText('Next in the list').waitFor()
  await keys.getByText('Previous in the list').waitFor()
})
