import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { aReviewRepo, type ReviewRepo } from '../../runs/review-cycles/review-repo.ts'
import { until } from '../../support/until.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { axeFindsInBothThemes } from './axe.ts'
import { eventually, openBrowser, openPage } from './browser.ts'

let repo: ReviewRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]
let id: string

const IMPLEMENT = `case $title in
Break*) echo "cannot do this" >&2; exit 3;;
Take*) touch "$beside/at-work"; until [ -e "$beside/go" ]; do sleep 0.05; done; commit long.txt "$title";;
*) commit feature.txt "first of $title";;
esac`

beforeAll(async () => {
  repo = aReviewRepo(
    ['CHANGES_REQUESTED - Mind the <b>commas</b>', 'APPROVED'],
    { implement: IMPLEMENT },
    { config: { verify: { command: 'echo "all 7 checks are green"' } } },
  )
  repo.gza('add', '# Parser\n\nIt **parses** <script>alert(1)</script>', '--title', 'Write the parser', '--auto-review')
  repo.add('Use the parser', '--based-on', '1')
  repo.add('Break it', '--max-attempts', '1')
  repo.add('Take long')
  repo.gza('edit', '1', '--accept', 'It parses', '--files-to-modify', 'src/parse.ts')
  repo.gza('note', '1', 'Look at `quotes` too')
  repo.gza('work', '1')
  repo.gza('work', '3')
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  id = new URL(page.url()).pathname.split('/')[1] as string
})

afterAll(async () => {
  writeFileSync(repo.beside('go'), '')
  await browser.close()
  await served.stop()
})

const open = async (ref: number, title: string): Promise<void> => {
  await page.goto(`${served.origin}/${id}/task/${ref}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const confirm = (name: string) => page.getByRole('group', { name: `Confirm: ${name}` })

test('a task shows its text as elements, its criteria, files and notes with who wrote them', async () => {
  await open(1, 'Write the parser')
  await page.locator('.markdown strong', { hasText: 'parses' }).waitFor()
  await page.locator('.markdown', { hasText: '<script>alert(1)</script>' }).first().waitFor()
  await page.locator('.criteria li', { hasText: 'It parses' }).waitFor()
  await page.locator('.files li', { hasText: 'src/parse.ts' }).waitFor()
  const note = page.locator('.notes li', { hasText: 'quotes' })
  expect(await note.locator('strong').innerText()).toBe('Test')
  await page.getByText('it was completed at').waitFor()
})

test('the timeline has every phase of the run, its verdicts, and says what is unknown', async () => {
  const phases = page.getByRole('list', { name: 'Phases of attempt 1' }).locator('> li')
  await phases.nth(5).waitFor()
  const names = await phases.locator('.facts strong').allInnerTexts()
  expect(names).toEqual(['task', 'verify', 'review 1', 'improve', 'verify', 'review 2'])
  await phases.nth(2).getByText('changes requested').waitFor()
  await phases.nth(2).getByText('Mind the <b>commas</b>').waitFor()
  await phases.nth(5).getByText('approved').waitFor()
  await phases.nth(0).getByText('cost unknown').waitFor()
})

test('the prompt of a past phase is exactly what the agent got, and the checks show what they printed', async () => {
  const phases = page.getByRole('list', { name: 'Phases of attempt 1' }).locator('> li')
  await phases.nth(3).getByText('The prompt that scripted was given').click()
  const shown = await phases.nth(3).locator('pre').innerText()
  expect(shown.trim()).toBe(repo.promptOf('improve 1').trim())
  await phases.nth(1).getByText('Check output: command, passed').click()
  await phases.nth(1).getByText('all 7 checks are green').waitFor()
})

test('a review is rendered as markdown, and the next prompt can be read', async () => {
  await page.getByText(/^Review 1, changes requested/).click()
  await page.locator('.markdown strong', { hasText: 'Verdict: CHANGES_REQUESTED' }).waitFor()
  await page.locator('.markdown', { hasText: 'Mind the <b>commas</b>' }).waitFor()
  await page.getByText('The prompt that an agent would get now').click()
  await page.locator('pre', { hasText: '# Parser' }).first().waitFor()
})

test('dependencies lead both ways, commits have their subject and lead to the diff', async () => {
  await page.locator('.task-aside').getByText('with its result').waitFor()
  await page.locator('.task-aside').getByRole('link', { name: 'Use the parser' }).click()
  await page.getByRole('heading', { level: 1, name: 'Use the parser' }).waitFor()
  await page.locator('.task-aside').getByRole('link', { name: 'Write the parser' }).click()
  await page.getByRole('heading', { level: 1, name: 'Write the parser' }).waitFor()
  await page.locator('.commits a', { hasText: 'Address review feedback (cycle 1)' }).click()
  await page.locator('.line-added').first().waitFor()
  await page.goBack()
})

test('the audit trail names the ledger commits', async () => {
  await page.getByText('Every change of this task in the ledger').click()
  const row = page.getByRole('row', { name: /note task-/ })
  await row.waitFor()
  const [, , , commit] = await row.getByRole('cell').allInnerTexts()
  expect(repo.git('log', '--format=%s', '-1', String(commit), '--')).toStartWith('note task-')
})

test('link and command are copied', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = (text: string) =>
    eventually(async () => expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text))
  // It says so only for a moment.
  await Promise.all([page.getByRole('button', { name: 'Copied' }).waitFor(), button('Copy command').click()])
  await copied('gza show 1')
  await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' })
  await button('Copy link').click()
  await copied(page.url())
})

test('work lands after its effect and command were named', async () => {
  await button('Land').click()
  await confirm('Land').getByText('gza merge 1').waitFor()
  await confirm('Land').getByRole('button', { name: 'Land' }).click()
  await until(() => repo.git('log', '--format=%s', 'main').includes('Address review feedback'))
  await confirm('Land').waitFor({ state: 'detached' })
  await button('Land').waitFor({ state: 'detached' })
})

test('a failed task shows why, and is tried again after a confirmation', async () => {
  await open(3, 'Break it')
  await page.locator('.run .detail', { hasText: 'cannot do this' }).waitFor()
  await button('Try again').click()
  await confirm('Try again').getByText('gza retry 3').waitFor()
  await confirm('Try again').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Attempt 2' }).waitFor()
  await until(() => repo.task('3').runs.length === 2 && repo.task('3').status === 'failed')
  await page.getByRole('region', { name: 'Started here' }).getByText('failed (exit code 1)').waitFor()
})

test('a failed task is opened again by a choice of resolve, which names its consequence', async () => {
  await button('Start anew').click()
  await confirm('Start anew').getByText('counts its attempts from zero').waitFor()
  await confirm('Start anew').getByRole('button', { name: 'Start anew' }).click()
  await button('Start work').nth(1).waitFor()
  expect(repo.task('3').status).toBe('pending')
  await button('Skip').click()
  await confirm('Skip').getByRole('button', { name: 'Skip' }).click()
  await button('Reopen').click()
  expect(repo.task('3').status).toBe('skipped')
  await confirm('Reopen').getByRole('button', { name: 'Reopen' }).click()
  await button('Skip').waitFor()
  expect(repo.task('3').status).toBe('pending')
})

test('a review that a person asks for is filed and runs as a process of its own', async () => {
  await open(1, 'Write the parser')
  await button('Review').click()
  await confirm('Review').getByText('gza review 1').waitFor()
  await confirm('Review').getByRole('button', { name: 'Review' }).click()
  const filed = await until(() => Object.keys(repo.statuses()).find((title) => title === 'Review Write the parser'))
  expect(filed).toBe('Review Write the parser')
  await until(() => repo.statuses()['Review Write the parser'] === 'completed')
  await page.getByRole('region', { name: 'Started here' }).getByText('gza review 1').waitFor()
})

test('a running task is stopped after a confirmation, and its work is kept', async () => {
  await open(4, 'Take long')
  await button('Start work').nth(1).click()
  const dialog = page.getByRole('dialog', { name: 'Start work' })
  await dialog.getByRole('button', { name: 'Dry run' }).click()
  await dialog.getByRole('region', { name: 'Dry run' }).getByText('Take long').waitFor()
  await dialog.getByRole('button', { name: 'Start work' }).click()
  await dialog.getByText('is running').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await until(async () => await Bun.file(repo.beside('at-work')).exists())
  expect(repo.gza('ps').stdout).toContain('Take long')
  await button('Stop').click()
  await confirm('Stop').getByText('gza kill 4').waitFor()
  await confirm('Stop').getByRole('button', { name: 'Stop' }).click()
  await page.getByText('interrupted').first().waitFor()
  await until(() => repo.task('4').status !== 'in_progress')
  expect(repo.task('4').runs[0]?.outcome).toBe('interrupted')
})

test('axe finds nothing in the view of a task, wide and narrow, and nothing is wider than the screen', async () => {
  await open(1, 'Write the parser')
  await page.getByText('Every change of this task in the ledger').click()
  await page.getByRole('row', { name: /note task-/ }).waitFor()
  expect(await axeFindsInBothThemes(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await axeFindsInBothThemes(page)).toEqual([])
  await eventually(async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390))
})

test('nothing went wrong in the page, and no request left the server', () => {
  expect(problems).toEqual([])
})
