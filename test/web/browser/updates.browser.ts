import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { openBrowser, openPage } from './browser.ts'

const NEXT_YEAR = Math.floor(Date.now() / 1000) + 365 * 24 * 3600

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]

beforeAll(async () => {
  repo = anAgentRepo({ else: `echo "Claude AI usage limit reached|${NEXT_YEAR}"; exit 1` })
  repo.add('Do it')
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
  await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor()
})

afterAll(async () => {
  await browser.close()
  await served.stop()
})

const tab = (name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })
const pauses = () => page.getByRole('heading', { level: 2, name: 'At a usage limit' })

test('what another process files is on the board, also after all refs were packed', async () => {
  await page.evaluate('window.isSame = true')
  for (let round = 1; round <= 3; round++) {
    repo.git('pack-refs', '--all', '--prune')
    // The second one comes when everything that was told of the packing is over.
    for (const which of ['first', 'second', 'third']) {
      repo.add(`The ${which} of round ${round}`)
      await page.getByText(`The ${which} of round ${round}`, { exact: true }).waitFor()
    }
  }
  expect(await page.evaluate('window.isSame')).toBe(true)
})

test('a pause that is made and lifted in a terminal comes to Agents and goes by itself', async () => {
  await tab('Agents').click()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
  for (let round = 0; round < 2; round++) {
    repo.gza('work', '1')
    await pauses().waitFor()
    await page.locator('.entry').getByText('Not called until').waitFor()
    expect(repo.gza('agents', 'resume', 'scripted').code).toBe(0)
    await pauses().waitFor({ state: 'detached' })
  }
})

test('nothing went wrong in the page, and no request left the server', () => {
  expect(problems).toEqual([])
})
