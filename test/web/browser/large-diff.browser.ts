import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { openBrowser, openPage } from './browser.ts'

const FILES = 300
/** Far more than it takes, and far less than what a person would call frozen. */
const MOST_SCRIPT_SECONDS = 1

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]
let session: CDPSession

beforeAll(async () => {
  repo = anAgentRepo(
    {
      else: `for i in $(seq 1 ${FILES}); do seq 1 30 > "src/part-$i.txt"; done; git add -A; git commit -qm "Many files"`,
    },
    { files: { 'src/first.txt': 'one\n' } },
  )
  repo.add('Change many files')
  expect(repo.gza('work', '1').code).toBe(0)
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
  await page.waitForURL(/inbox|board/)
  session = await page.context().newCDPSession(page)
  // The time that the processor took, and not the time that passed: other programs run too.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
})

afterAll(async () => {
  await browser.close()
  await served.stop()
})

async function scriptSeconds(): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0
}

const file = (at: number) => page.locator('details.file').nth(at)
const list = () => page.getByRole('navigation', { name: 'Changed files' })

test(`a diff of ${FILES} files opens with its list, and does not freeze the page`, async () => {
  await page.goto(page.url().replace(/(inbox|board)$/, 'diff/1'))
  await list()
    .getByRole('link')
    .nth(FILES - 1)
    .waitFor()
  await page.getByText(`${FILES} files`, { exact: true }).waitFor()
  await file(0).locator('tr').first().waitFor()
  const spent = await scriptSeconds()
  console.log(`script time of a diff of ${FILES} files: ${Math.round(spent * 1000)} ms`)
  expect(spent).toBeLessThan(MOST_SCRIPT_SECONDS)
})

test('a file at the end of the list is read when it is chosen', async () => {
  await list()
    .getByRole('link')
    .nth(FILES - 1)
    .click()
  await file(FILES - 1)
    .locator('tr')
    .nth(29)
    .waitFor()
  expect(
    await file(FILES - 1)
      .locator('summary')
      .innerText(),
  ).toContain('+30')
})

test('the layout changes for all of them, and a comment is written at once', async () => {
  const before = await scriptSeconds()
  await page.getByRole('button', { name: 'Side by side' }).click()
  await file(FILES - 1)
    .locator('table.split')
    .waitFor()
  await file(FILES - 1)
    .getByRole('button', { name: 'Comment on line 3, added' })
    .click()
  await page.getByRole('textbox', { name: 'Comment on line 3' }).fill('Many words in one place')
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.getByRole('link', { name: 'Review (1)' }).waitFor()
  const spent = (await scriptSeconds()) - before
  console.log(`script time of another layout and a comment: ${Math.round(spent * 1000)} ms`)
  expect(spent).toBeLessThan(2 * MOST_SCRIPT_SECONDS)
})

test('nothing went wrong in the page, and no request left the server', () => {
  expect(problems).toEqual([])
})
