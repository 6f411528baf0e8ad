import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { axeFindsInBothThemes } from './axe.ts'
import { isRead, openBrowser, openPage } from './browser.ts'
import { shiftsOf, watchShifts } from './layout-shifts.ts'

/** A person who handles in the morning what agents left at night. */
let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]

beforeAll(async () => {
  const files = 'mkdir -p .github; seq 1 100 > long.txt; for i in 1 2 3; do echo "part $i" > part-$i.txt; done'
  repo = anAgentRepo(
    {
      'Ask*': 'commit draft.txt "a first draft"; gza ask $task "Red or blue?"',
      'Guard*': `${files}; printf 'on: push\\ncontinue-on-error: true\\n' > ".github/$title.yml"; git add -A; git commit -qm "Guard it"`,
      else: 'commit "$title.txt" "$title"',
    },
    { config: { land: 'merge' } },
  )
  repo.add('Ask for a colour')
  repo.add('Guard the branch', '--files-to-modify', '.github,long.txt,part-1.txt,part-2.txt')
  repo.add('Guard the tags')
  repo.add('Guard the notes')
  repo.gza('work', '1', '2', '3', '4')
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
const started = () => page.getByRole('region', { name: 'Started in this tab' })

test('nothing moves while a view is read, wide and narrow', async () => {
  const { origin, pathname } = new URL(page.url())
  const repository = pathname.split('/')[1]
  await watchShifts(page)
  const found: string[] = []
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const view of ['inbox', 'board', 'live', 'graph', 'landing', 'numbers', 'agents', 'task/2', 'diff/2', 'add']) {
      await page.goto(`${origin}/${repository}/${view}`)
      await page.locator('.connection.live').waitFor()
      await page.locator('main h1, main h2, main .empty').first().waitFor()
      await isRead(page)
      found.push(...(await shiftsOf(page)).map((what) => `${view}, ${width}: ${what}`))
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(found).toEqual([])
})

test('an entry has the first lines of the first files, and those outside of its list come first', async () => {
  await tab('Needs you').click()
  const changes = entry('Guard the branch').getByRole('region', { name: 'What #2 changes' })
  await changes.getByText('It changes 5 files').waitFor()
  expect(await changes.locator('.file .path').allInnerTexts()).toEqual([
    'part-3.txt',
    '.github/Guard the branch.yml',
    'long.txt',
  ])
  await changes.getByText('part 3').waitFor()
  await changes.getByText('on: push').waitFor()
  expect(await changes.locator('.file[open]').count()).toBe(2)
  await changes.getByText('long.txt').click()
  await changes.getByText('These are its first lines. The others are in the diff.').waitFor()
  expect(await changes.locator('.file').nth(2).locator('.line-added').count()).toBe(30)
  await changes.getByRole('link', { name: 'and 2 more files' }).click()
  await page.getByRole('navigation', { name: 'Changed files' }).getByText('part-2.txt').waitFor()
  await page.goBack()
})

test('a question is in sight, and the work of its agent is folded', async () => {
  const asked = entry('Ask for a colour')
  await asked.getByText('It changes 1 file').waitFor()
  await asked.getByText('a first draft').waitFor({ state: 'hidden' })
  await asked.getByText('draft.txt').click()
  await asked.getByText('a first draft').waitFor()
})

test('Landing names where work makes checks see less', async () => {
  await tab('Landing').click()
  await page
    .getByText('Weakens checks: .github/Guard the notes.yml:2 hides a failure: continue-on-error: true')
    .waitFor()
  await tab('Needs you').click()
})

test('axe-core finds nothing in what is changed, dark and light', async () => {
  expect(await axeFindsInBothThemes(page)).toEqual([])
})

test('work is approved and landed where its diff was read, and its landing is followed there', async () => {
  await entry('Guard the branch').getByRole('link', { name: 'Look at the diff and review it' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await confirm('Approve').getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('region', { name: 'Reviews' }).getByText('approved').waitFor()
  await page.getByRole('button', { name: 'Land', exact: true }).click()
  await confirm('Land').getByText('gza merge 2').waitFor()
  await confirm('Land').getByRole('button', { name: 'Land', exact: true }).click()
  await started().getByText('gza merge 2').waitFor()
  await started().getByText('has ended well').waitFor()
  expect(repo.git('log', '--format=%s', 'main')).toContain('Guard the branch')
  await page.locator('.diff-facts').getByText('landed').waitFor()
  await started().getByRole('button', { name: 'Put away' }).click()
  await started().waitFor({ state: 'detached' })
})

test('work that only a person may land lands from Landing, after the reason was named once more', async () => {
  await tab('Landing').click()
  await page.getByRole('heading', { name: 'Land only if you say so' }).waitFor()
  await page.getByRole('button', { name: 'Land #3' }).click()
  await confirm('Land #3').getByText('which only a person may land. You land it nevertheless.').waitFor()
  await confirm('Land #3').getByRole('button', { name: 'Land #3' }).click()
  await page.locator('.queued').filter({ hasText: 'Guard the tags' }).waitFor({ state: 'detached' })
  expect(repo.git('log', '--format=%s', 'main')).toContain('Guard the tags')
  await started().getByText('has ended well').waitFor()
  await started().getByRole('button', { name: 'Put away' }).click()
})

test('a landing that fails says why in the view in which it was started', async () => {
  repo.commit('check', {
    'gza.yaml': `${repo.run(['cat', 'gza.yaml']).stdout}verify: {"command":"echo it is red; false"}\n`,
  })
  await tab('Needs you').click()
  await entry('Guard the notes').getByRole('button', { name: 'Land it' }).click()
  await confirm('Land it').getByRole('button', { name: 'Land it' }).click()
  await started().getByText('failed (exit code 1)').waitFor()
  await started().getByText('it is red').first().waitFor()
  await entry('Guard the notes').getByRole('heading', { level: 2 }).waitFor()
})

test('nothing went wrong in the page, and nothing left the server', () => {
  expect(problems).toEqual([])
})
