import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { axeFindsInBothThemes } from './axe.ts'
import { openBrowser, openPage } from './browser.ts'

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]

beforeAll(async () => {
  repo = anAgentRepo({
    'Choose*': 'echo "looking at colours"; gza ask $task "Red or <b>blue</b>?"; commit colours.txt red',
    'Break*': 'commit half.txt "only half"; printf "first\\nsecond \\033[31mred\\n" >&2; exit 3',
    'Halt*': 'exit 4',
    else: 'commit other.txt x',
  })
  repo.add('Choose a colour')
  repo.add('Break it', '--max-attempts', '1', '--group', 'parts')
  repo.add('Halt it', '--max-attempts', '1', '--group', 'parts')
  for (const ref of ['1', '2', '3']) repo.gza('work', ref)
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

test('an entry has its reason, what happened, the last log lines, and what was changed', async () => {
  const failed = entry('Break it')
  await failed.getByText('Its agent ended with an error in every attempt.').waitFor()
  await failed.locator('.last-lines').getByText('second \\x1b[31mred').waitFor()
  await failed.getByRole('region', { name: 'What #2 changes' }).getByText('only half').waitFor()
  await failed.getByRole('link', { name: 'Look at the diff' }).click()
  await page.getByRole('navigation', { name: 'Changed files' }).getByText('half.txt').waitFor()
  await page.goBack()
  await entry('Choose a colour').getByText('Red or <b>blue</b>?').waitFor()
})

test('every choice of resolve names its consequence and the command that it equals', async () => {
  const said: string[][] = []
  for (const label of ['I did it myself', 'Skip it', 'Start anew', 'Stop its workflow']) {
    await entry('Break it').getByRole('button', { name: label, exact: true }).click()
    said.push([await confirm(label).locator('p').first().innerText(), await confirm(label).locator('code').innerText()])
    await confirm(label).getByRole('button', { name: 'Cancel' }).click()
  }
  expect(said).toEqual([
    ['Closes the task as completed. What the agent left does not land by itself.', 'gza resolve 2 --fixed'],
    ['Closes the task as skipped. Tasks that depend on it can start.', 'gza resolve 2 --skip'],
    ['Opens the task again, and counts its attempts from zero.', 'gza resolve 2 --reset'],
    ['Puts this task and the open tasks of its group parts on hold, until you resume it.', 'gza resolve 2 --abort'],
  ])
  expect(repo.task('2').status).toBe('failed')
})

test('a workflow is stopped and resumed', async () => {
  await entry('Halt it').getByRole('button', { name: 'Stop its workflow' }).click()
  await confirm('Stop its workflow').getByRole('button', { name: 'Stop its workflow' }).click()
  await entry('Halt it').getByRole('button', { name: 'Resume its workflow' }).click()
  expect(repo.task('3').on_hold).toBe(true)
  await confirm('Resume its workflow').getByRole('button', { name: 'Resume its workflow' }).click()
  await entry('Halt it').getByRole('button', { name: 'Stop its workflow' }).waitFor()
  expect(repo.task('3').on_hold).toBe(false)
})

test('what a person did is linked by its commit, and the entry is gone', async () => {
  const commit = repo.git('rev-parse', 'HEAD')
  await entry('Halt it').getByRole('button', { name: 'I did it myself' }).click()
  await page.getByLabel('The commit with your work').fill('HEAD')
  await confirm('I did it myself').getByText('gza resolve 3 --fixed --commit HEAD').waitFor()
  await confirm('I did it myself').getByRole('button', { name: 'I did it myself' }).click()
  await entry('Halt it').waitFor({ state: 'detached' })
  expect([repo.task('3').status, repo.task('3').commits]).toEqual(['completed', [commit]])
})

test('a retry is started after its effect was named', async () => {
  await entry('Break it').getByRole('button', { name: 'Retry' }).click()
  await confirm('Retry').getByText('gza retry 2').waitFor()
  await confirm('Retry').getByRole('button', { name: 'Retry' }).click()
  await until(() => repo.task('2').runs.length === 2 && repo.task('2').status === 'failed')
  expect(repo.task('2').attempts).toBe(2)
})

test('an answer survives a reload as a draft, and is in the next prompt', async () => {
  await entry('Choose a colour').getByLabel('Your answer').fill('Blue, please')
  await page.reload()
  expect(await entry('Choose a colour').getByLabel('Your answer').inputValue()).toBe('Blue, please')
  await entry('Choose a colour').getByRole('button', { name: 'Answer' }).click()
  await entry('Choose a colour').waitFor({ state: 'detached' })
  expect(repo.gza('prompt', '1').stdout).toContain('Blue, please')
})

test('axe-core finds nothing, dark and light', async () => {
  await entry('Break it').getByRole('button', { name: 'Skip it' }).click()
  expect(await axeFindsInBothThemes(page)).toEqual([])
})

test('nothing went wrong in the page, and nothing left the server', () => {
  expect(problems).toEqual([])
})
