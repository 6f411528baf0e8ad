import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { aReviewRepo, type ReviewRepo } from '../../runs/review-cycles/review-repo.ts'
import { until } from '../../support/until.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { openBrowser, openPage } from './browser.ts'

let repo: ReviewRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]

const IMPLEMENT = `case $title in
Break*) echo "cannot do this" >&2; exit 3;;
Guard*) commit .github/workflows/ci.yml "on: push";;
Wait*) commit "$title.txt" "$title";;
*) commit feature.txt "first of $title";;
esac`

beforeAll(async () => {
  const config = { land: 'merge', verify: { command: 'true' } }
  repo = aReviewRepo(['CHANGES_REQUESTED - Mind the commas'], { implement: IMPLEMENT }, { config })
  repo.add('Write the parser', '--auto-review', '--max-cycles', '1')
  repo.add('Guard the branch')
  for (const part of ['one', 'two', 'three']) repo.add(`Break ${part}`, '--max-attempts', '1')
  for (const ref of ['1', '2', '3', '4', '5']) repo.gza('work', ref)
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
  await page.getByRole('heading', { level: 1, name: 'Needs you' }).waitFor()
})

afterAll(async () => {
  await browser.close()
  await served.stop()
})

const entry = (title: string) => page.locator('.entry').filter({ hasText: title })
const confirm = (label: string) => page.getByRole('group', { name: `Confirm: ${label}` })
const tab = (name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })
const box = (number: number) => page.getByRole('checkbox', { name: `Select #${number}`, exact: true })
const actions = () => page.getByRole('region', { name: 'Selected cards' })

test('work is improved from Needs you, after its effect and command were named', async () => {
  await entry('Write the parser').getByRole('button', { name: 'Improve it' }).click()
  await confirm('Improve it').getByText('gza improve 1').waitFor()
  const before = repo.calls().length
  await confirm('Improve it').getByRole('button', { name: 'Improve it' }).click()
  await until(() => repo.calls().length > before)
  expect(repo.acted().slice(before)[0]).toStartWith('improve')
  await entry('Write the parser').waitFor({ state: 'detached' })
})

test('what somebody else changed meanwhile does not land from Needs you, and then it does', async () => {
  await entry('Guard the branch').getByRole('button', { name: 'Land it' }).click()
  await confirm('Land it').getByText('gza merge 2').waitFor()
  repo.gza('note', '2', 'Wait for me')
  await confirm('Land it').getByRole('button', { name: 'Land it' }).click()
  await page.getByRole('alert').getByText('The work of #2 has changed since you looked at it').waitFor()
  expect(repo.git('log', '--format=%s', 'main')).not.toContain('Guard the branch')
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  // As soon as the page has read the newer state, the same button lands it.
  const again = confirm('Land it').getByRole('button', { name: 'Land it' })
  await until(async () => {
    await again.click({ timeout: 500 }).catch(() => {})
    return repo.git('log', '--format=%s', 'main').includes('Guard the branch')
  })
  await entry('Guard the branch').waitFor({ state: 'detached' })
})

test('several failed tasks are tried again at once, after the effect and the commands were named', async () => {
  await tab('Board').click()
  await box(3).click()
  await box(4).click()
  await actions().getByRole('button', { name: 'Retry' }).click()
  await confirm('Retry')
    .getByText(/gza retry [34]; gza retry [34]/)
    .waitFor()
  expect(repo.task('3').attempts).toBe(1)
  await confirm('Retry').getByRole('button', { name: 'Retry (2)' }).click()
  await page
    .locator('.outcome')
    .getByText(/^Being tried again: #[34], #[34]$/)
    .waitFor()
  await until(() => ['3', '4'].every((ref) => repo.task(ref).runs.length === 2 && repo.task(ref).status === 'failed'))
  expect(repo.task('5').attempts).toBe(1)
})

test('several failed tasks are skipped at once, and one that was decided about meanwhile is refused', async () => {
  const failed = page.getByRole('region', { name: 'Failed', exact: true })
  for (const number of [3, 4, 5]) await failed.getByText(`#${number}`, { exact: true }).waitFor()
  for (const number of [3, 4])
    await failed
      .getByText('attempt 2')
      .nth(number - 3)
      .waitFor()
  for (const number of [3, 4, 5]) await box(number).click()
  await actions().getByRole('button', { name: 'Skip' }).click()
  await confirm('Skip')
    .getByText(/gza resolve \d --skip; gza resolve \d --skip; gza resolve \d --skip/)
    .waitFor()
  repo.gza('note', '5', 'Mine')
  await confirm('Skip').getByRole('button', { name: 'Skip (3)' }).click()
  await page
    .locator('.outcome')
    .getByText(/^Skipped: #[34], #[34]$/)
    .waitFor()
  await page.locator('.outcome').getByText('has changed since you looked at it').waitFor()
  expect(['3', '4', '5'].map((ref) => repo.task(ref).status)).toEqual(['skipped', 'skipped', 'failed'])
})

test('of two people who land the same work, the second one gets a sentence with the newer state', async () => {
  repo.write('gza.yaml', repo.run(['cat', 'gza.yaml']).stdout.replace(/^land: .*$/m, 'land: "branch"'))
  repo.add('Wait to land')
  repo.gza('work', '6')
  await tab('Landing').click()
  const landIt = page.getByRole('button', { name: 'Land #6', exact: true })
  await landIt.first().click()
  await confirm('Land #6').getByText('gza merge 6').waitFor()
  const branch = repo.task('6').branch as string
  const newer = repo.git('commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'By hand')
  repo.git('update-ref', `refs/heads/${branch}`, newer)
  await confirm('Land #6').getByRole('button', { name: 'Land #6' }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'The work of #6 has changed since you looked at it' })
  await refusal.getByText(`at ${newer.slice(0, 10)}`).waitFor()
  await page.locator('.queued').getByText(newer.slice(0, 10)).waitFor()
  expect(repo.git('log', '--format=%s', 'main')).not.toContain('Wait to land')
})

test('nothing went wrong in the page, and no request left the server', () => {
  expect(problems).toEqual([])
})
