import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { AgentRepo } from '../../support/scripted-agent.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { eventually, openBrowser, openPage } from './browser.ts'
import { aRepoToReview } from './reviewed-repo.ts'

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]
let first: string

beforeAll(async () => {
  repo = aRepoToReview()
  first = repo.git('rev-parse', repo.task('1').branch as string)
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
  await page.waitForURL(/inbox|board/)
  await page.goto(page.url().replace(/(inbox|board)$/, 'diff/1'))
  await file('src/a.ts').waitFor()
})

afterAll(async () => {
  await browser.close()
  await served.stop()
})

const file = (name: string) => page.locator('details.file').filter({ has: page.locator('summary', { hasText: name }) })
const lineOf = (name: string, label: string) => file(name).getByRole('button', { name: label, exact: true })
const panel = () => page.getByRole('region', { name: 'Your review' })
const confirm = (label: string) =>
  page.getByRole('group', { name: `Confirm: ${label}` }).getByRole('button', { name: label })

const focusIsOn = (what: 'innerText' | 'ariaLabel', text: string) =>
  eventually(async () => expect(await page.evaluate(`document.activeElement.${what}`)).toContain(text))

test('every file has its counts, how it changed, and whether the task names it', async () => {
  const facts = async (name: string) => (await file(name).locator('summary').innerText()).split(/\s*\n\s*/)
  expect(await facts('src/a.ts')).toEqual(['src/a.ts', '+1 −1'])
  expect(await facts('run.sh')).toEqual(['run.sh', '+0 −0', 'mode 100644 → 100755', 'outside of its list'])
  expect(await facts('picture.bin')).toEqual(['picture.bin', 'binary', 'added', 'outside of its list'])
  expect(await facts('src/new.ts')).toEqual(['src/old.ts → src/new.ts', '+0 −0', 'renamed', 'outside of its list'])
  await file('src/new.ts').getByText('It was renamed without changes.').waitFor()
  await file('src/end.txt').getByText('No newline at end of file').waitFor()
})

test('control characters in names and lines are shown as escapes', async () => {
  await file('src/odd\\x0aname\\x1b.ts').getByText('plain \\x1b[31mred\\x1b[0m').waitFor()
})

test('a long file is read when it is opened, and drawn in parts', async () => {
  const rows = file('big.txt').locator('tr')
  expect(await rows.count()).toBe(0)
  await page.getByRole('navigation', { name: 'Changed files' }).getByRole('link', { name: 'big.txt' }).click()
  const more = file('big.txt').locator('button.more')
  await more.waitFor()
  expect(await more.innerText()).toBe('Show more lines (1001 are left)')
  await more.click()
  await file('big.txt').locator('[data-line="3000"]').waitFor()
  expect(await rows.count()).toBe(3001)
  await file('big.txt').locator('summary').click()
})

test('side by side is kept for the next time', async () => {
  const toggle = page.getByRole('button', { name: 'Side by side' })
  await toggle.click()
  await file('src/a.ts').locator('table.split').waitFor()
  expect(await file('src/a.ts').locator('mark').allInnerTexts()).toEqual(['5', 'five'])
  await page.reload()
  await file('src/a.ts').locator('table.split').waitFor()
  await toggle.click()
  await file('src/a.ts').locator('table.unified').waitFor()
})

test('keys lead to the next file, change and line, and open a comment there', async () => {
  // Lines can be commented on as soon as the task is read too.
  await lineOf('src/a.ts', 'Comment on line 3').waitFor()
  await page.locator('#view').focus()
  await page.keyboard.press('n')
  await focusIsOn('innerText', 'big.txt')
  await page.keyboard.press(']')
  await focusIsOn('innerText', '@@ -2,7 +2,7 @@')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await file('src/a.ts').getByRole('textbox', { name: 'Comment on line 3' }).waitFor()
  await page.keyboard.press('Escape')
  await file('src/a.ts').getByRole('textbox', { name: 'Comment on line 3' }).waitFor({ state: 'detached' })
  await focusIsOn('ariaLabel', 'Comment on line 3')
})

test('comments are drafts that can be changed and deleted, and survive a reload', async () => {
  await lineOf('src/a.ts', 'Comment on line 5, added').click()
  await page.getByRole('textbox', { name: 'Comment on line 5' }).fill('Write it as a number.')
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await lineOf('src/a.ts', 'Comment on line 6').click()
  await lineOf('src/a.ts', 'Comment on line 7').click({ modifiers: ['Shift'] })
  await page.getByRole('textbox', { name: 'Comment on lines 6 to 7' }).fill('Not needed')
  await page.keyboard.press('Control+Enter')
  await lineOf('src/a.ts', 'Comment on line 5, removed').click()
  await page.getByRole('textbox', { name: 'Comment on line 5 before the change' }).fill('Keep this.')
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  // What is being written when the page goes away is kept too.
  await lineOf('src/a.ts', 'Comment on line 8').click()
  await page.getByRole('textbox', { name: 'Comment on line 8' }).fill('Half a thought')
  await page.reload()
  await page.getByRole('link', { name: 'Review (4)' }).waitFor()
  await page.getByRole('article', { name: 'Draft on line 8' }).getByText('Half a thought').waitFor()
  await page.getByRole('article', { name: 'Draft on line 8' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'Review (3)' }).waitFor()
  await page.getByRole('article', { name: 'Draft on lines 6 to 7' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('article', { name: 'Draft on line 5 before' }).getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Comment on line 5 before the change' }).fill('Keep this one.')
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.getByRole('link', { name: 'Review (2)' }).waitFor()
  expect(repo.task('1').final_verdict).toBeNull()
})

test('requesting changes names the effect, stores the review, and offers the improvement', async () => {
  await panel().getByLabel('Summary').fill('Almost <b>there</b>.')
  await panel().getByRole('button', { name: 'Request changes' }).click()
  await page.getByText(`The commit ${first.slice(0, 10)} does not land by itself.`).waitFor()
  await confirm('Request changes').click()
  await page.getByRole('article', { name: 'Comment by' }).getByText('Write it as a number.').waitFor()
  expect(repo.task('1').final_verdict).toBe('CHANGES_REQUESTED')
  expect(repo.gza('show', '1', '--text').stdout).toContain(
    '`src/a.ts:5` (before the change): Keep this one.\n   > line 5',
  )
  await page.getByRole('region', { name: 'Reviews' }).getByText('Almost <b>there</b>.').waitFor()
  await panel().getByLabel('Summary').fill('An unsent thought')
  await panel().getByRole('button', { name: 'Start the improvement' }).click()
  await page.getByText('gza improve 1').waitFor()
  await confirm('Start the improvement').click()
})

test('the improvement gets the comments, and then they are marked as made on an older commit', async () => {
  await page
    .getByText(`made on the older commit ${first.slice(0, 10)}`)
    .first()
    .waitFor()
  const improve = repo.calls().findLast(({ prompt }) => prompt.startsWith('You are improving'))
  expect(improve?.prompt).toContain('1. `src/a.ts:5`: Write it as a number.\n   > line five')
  // The line that the comment was about is gone, and what it said is still there.
  await file('src/a.ts').getByText('On lines that this diff no longer has:').waitFor()
  expect(await file('src/a.ts').locator('.quoted').allInnerTexts()).toContain('line five')
})

test('a draft about the older commit can be taken over, and approving counts for the commit shown', async () => {
  await page.getByText('You have an unsent review of the older commit').waitFor()
  await page.getByRole('button', { name: 'Take it into the summary' }).click()
  await eventually(async () => expect(await panel().getByLabel('Summary').inputValue()).toBe('An unsent thought'))
  const now = repo.git('rev-parse', repo.task('1').branch as string)
  await panel().getByRole('button', { name: 'Approve' }).click()
  await page.getByText(`Approves the commit ${now.slice(0, 10)}`).waitFor()
  await confirm('Approve').click()
  await page.getByRole('region', { name: 'Reviews' }).getByText('approved').waitFor()
  expect(JSON.parse(repo.gza('show', '1', '--json').stdout).persons_verdict).toMatchObject({
    ...{ verdict: 'APPROVED', head: now, counts: true },
  })
})

test('a commit that is no longer there is not judged', async () => {
  const branch = repo.task('1').branch as string
  const now = repo.git('rev-parse', branch)
  await panel().getByRole('button', { name: 'Approve' }).click()
  const newer = repo.git('commit-tree', `${branch}^{tree}`, '-p', now, '-m', 'By hand')
  repo.git('update-ref', `refs/heads/${branch}`, newer)
  await page.getByRole('heading', { name: `Your review of ${newer.slice(0, 10)}` }).waitFor()
  expect(await page.getByRole('group', { name: 'Confirm: Approve' }).count()).toBe(0)
})

test('axe-core finds nothing in both layouts and themes', async () => {
  await page.evaluate(readFileSync(join(import.meta.dir, '../../../node_modules/axe-core/axe.min.js'), 'utf8'))
  await lineOf('src/a.ts', 'Comment on line 6').click()
  for (const layout of ['unified', 'split'])
    for (const theme of ['dark', 'light']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      const found = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')
      expect([layout, theme, (found as { violations: { id: string }[] }).violations.map(({ id }) => id)]).toEqual([
        layout,
        theme,
        [],
      ])
      if (theme === 'light' && layout === 'unified') await page.getByRole('button', { name: 'Side by side' }).click()
    }
})

test('nothing went wrong in the page, and nothing left the server', () => {
  expect(problems).toEqual([])
})
