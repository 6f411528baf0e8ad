import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { AgentRepo } from '../../support/scripted-agent.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { axeFinds } from './axe.ts'
import { eventually, isRead, openBrowser, openPage } from './browser.ts'
import { aPastRepo } from './numbers-repo.ts'

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]
let working: Promise<unknown>

beforeAll(async () => {
  repo = aPastRepo()
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
  working = Promise.resolve()
})

afterAll(async () => {
  repo.gza('kill', '8')
  await browser.close()
  await served.stop()
  await working
})

const view = async (title: string) => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}
const figure = (title: string) =>
  page.locator('figure', { has: page.getByRole('heading', { name: title, exact: true }) })
const queued = (number: number) =>
  page.locator('.queued').filter({ has: page.getByRole('link', { name: new RegExp(`^#${number} `) }) })

/** Lets the nth check of a landing end. */
const open = (n: number) => writeFileSync(repo.beside(`open-${n}`), '')

test('a range is part of the address, and numbers count only what is in it', async () => {
  await view('Numbers')
  const headline = page.locator('.headline')
  await headline.getByText('$5.27 + unknown').waitFor()
  await page.getByRole('link', { name: '7 days' }).click()
  await headline.getByText('$0.62 + unknown').waitFor()
  expect(new URL(page.url()).search).toBe('?days=7')
  await page.reload()
  await headline.getByText('$0.62 + unknown').waitFor()
  await page.goBack()
  await headline.getByText('$5.27 + unknown').waitFor()
})

test('an unknown cost is never $0, in bars and in tables', async () => {
  const agents = figure('By agent')
  expect(await agents.locator('.share').filter({ hasText: 'codex' }).first().innerText()).toContain('unknown')
  expect(await agents.locator('.share').filter({ hasText: 'claude' }).first().innerText()).toContain('$5.27')
  const days = figure('Cost by day')
  expect(await days.locator('.chart .unknown').count()).toBe(3)
  await days.getByText('Cost by day as a table').click()
  expect(await days.getByRole('row').nth(2).innerText()).toMatch(/unknown\t1\t1$/)
  expect(await page.getByText('$0.00', { exact: true }).count()).toBe(1)
})

test('budgets are bars with words, from the configuration', async () => {
  const bars = figure('Budgets').locator('.share')
  expect(await bars.allInnerTexts()).toEqual([
    expect.stringMatching(/^Today, cost\s+no cost reported of \$20\.00 \(0 %\)$/),
    expect.stringMatching(/^#1 Write the parser\s+\$4\.65 of \$5\.00 \(93 %\)$/),
    expect.stringMatching(/^#2 Write the lexer\s+\$0\.62 of \$5\.00 \(12 %\)$/),
  ])
})

test('first tries, runs and reviews are counted by agent and model', async () => {
  const rows = figure('Quality by agent and model').getByRole('row')
  const cells = (row: number) => rows.nth(row).innerText()
  expect(await cells(1)).toBe('claude\topus\t0 % (0 of 1)\t2.0\t0.0\t50 % (1 of 2)')
  expect(await cells(2)).toBe('claude\tsonnet\t100 % (1 of 1)\t1.0\t0.0\t0 % (0 of 1)')
  const time = figure('Where the time goes')
  expect(await time.locator('.share').filter({ hasText: 'Verifying' }).innerText()).toContain('5 min')
})

test('printed, the numbers are dark on white, without buttons, and with their tables', async () => {
  await page.emulateMedia({ media: 'print' })
  const background = 'getComputedStyle(document.body).backgroundColor'
  await eventually(async () => expect(await page.evaluate(background)).toBe('rgb(255, 255, 255)'))
  await page.getByRole('button', { name: 'Print' }).waitFor({ state: 'hidden' })
  await figure('Tokens by day').getByRole('cell', { name: '620,000' }).waitFor()
  // The runs of today report no tokens.
  expect(await figure('Tokens by day').getByRole('row').nth(1).innerText()).toMatch(/\tunknown\tunknown$/)
  await page.emulateMedia({ media: 'screen' })
})

test('a dry run names what would land, in its order, and its command', async () => {
  await view('Landing')
  await page.getByLabel('Choose #5').check()
  await page.getByLabel('Choose #7').check()
  await page.getByRole('button', { name: 'Dry run' }).click()
  const plan = page.getByRole('region', { name: 'Dry run' })
  await plan.getByText('gza merge 5 7 --dry-run').waitFor()
  expect(await plan.getByRole('link').allInnerTexts()).toEqual(['#5 one', '#7 three'])
  await plan.getByRole('button', { name: 'Close' }).click()
  await page.getByLabel('Choose #5').uncheck()
  await page.getByLabel('Choose #7').uncheck()
})

test('landing all shows what is verified, the red batch that is bisected, and what was sent back and why', async () => {
  await page.getByRole('button', { name: 'Land all 3' }).click()
  await page.getByText('Applies #5, #6, #7 to main in this order.').waitFor()
  await page.getByText('gza merge 5 6 7', { exact: true }).waitFor()
  const dialog = page.getByRole('group', { name: 'Confirm: Land all 3' })
  await dialog.getByRole('button', { name: 'Land all 3' }).click()
  const now = page.locator('.now')
  await now.getByText('Verifying').waitFor()
  await queued(6).getByText('is being verified together: #5, #6, #7').waitFor()
  open(1)
  await now.getByText('Bisecting').waitFor()
  await queued(7).getByText('is in a batch that failed: one of #5, #6, #7; #5 is being verified').waitFor()
  for (const n of [2, 3, 4]) open(n)
  await page.getByRole('heading', { name: 'Sent back' }).waitFor()
  await now.waitFor({ state: 'detached' })
  await queued(6).getByText('The checks failed with it').click()
  expect(await queued(6).locator('pre').innerText()).toContain('test -e two.txt')
  const landed = repo.git('log', '--first-parent', '--format=%s', 'main').split('\n').slice(0, 2)
  expect(landed.map((subject) => subject.replace(/^Merge task-[0-9a-f]+: /, ''))).toEqual(['three', 'one'])
})

test('a base that does not move, because its checkout has changes, is named with its folder', async () => {
  for (let n = 5; n < 20; n++) open(n)
  repo.add('four')
  repo.gza('work', '9')
  repo.write('four.txt', 'mine\n')
  await page.getByRole('button', { name: 'Land #9' }).click()
  await page.getByRole('group', { name: 'Confirm: Land #9' }).getByRole('button', { name: 'Land #9' }).click()
  await page.getByRole('heading', { name: 'Verified, but the checkout is in the way' }).waitFor()
  await queued(9).getByText(repo.dir).waitFor()
  await page.getByText('main has not moved').waitFor()
})

test('agents shows clients, who holds a task, heartbeats, and worktrees with their size and run', async () => {
  working = repo.start([join(import.meta.dir, '../../../dist/gza'), 'work', '8'])
  await view('Agents')
  const region = (title: string) => page.getByRole('region', { name: `${title}, table` })
  const clients = region('Clients on this machine').getByRole('row').filter({ hasText: 'scripted' })
  await eventually(async () => expect(await clients.innerText()).toMatch(/^scripted\tready\tevery type\t/))
  const held = region('Claims and runs').getByRole('row').filter({ hasText: 'Take long' })
  await held.waitFor()
  await held.getByText('its process ends').waitFor()
  const tree = region('Worktrees').getByRole('row').filter({ hasText: 'Take long' })
  await tree.waitFor()
  await page.getByRole('button', { name: 'Measure again' }).click()
  await tree.getByText(/^\d+(\.\d)? [KM]B$/).waitFor()
  await region('Agents with tasks').getByRole('row').filter({ hasText: 'Take long' }).waitFor()
})

test('a claim shows its holder and when it expires', async () => {
  repo.withEnv({ GZA_AGENT: 'helper' }).gza('claim', '4')
  const claim = page
    .getByRole('region', { name: 'Claims and runs, table' })
    .getByRole('row')
    .filter({ hasText: 'helper' })
  await claim.waitFor()
  expect(await claim.innerText()).toMatch(/^helper\t#4 Explore the formats\t.*\tin \d+ (h|min|s)/)
})

test('axe finds nothing in landing, numbers and agents, dark and light, wide and narrow', async () => {
  const found: string[] = []
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const theme of ['Light', 'Dark']) {
      const button = page.getByRole('button', { name: theme, exact: true })
      if (await button.isVisible()) await button.click()
      for (const title of ['Landing', 'Numbers', 'Agents']) {
        await view(title)
        await isRead(page)
        found.push(...(await axeFinds(page)).map((each) => `${title}, ${theme}, ${width}: ${each}`))
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        if (isTooWide) found.push(`${title}, ${width}: the page scrolls sideways`)
      }
    }
  }
  expect(found).toEqual([])
  expect(problems).toEqual([])
})
