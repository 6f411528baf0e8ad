import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { axeFinds } from './axe.ts'
import { eventually, openBrowser, openPage } from './browser.ts'

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]

beforeAll(async () => {
  repo = anAgentRepo({
    'Break*': 'echo "cannot do this" >&2; exit 3',
    else: 'until [ -e "$beside/go" ]; do sleep 0.05; done; echo done > done.txt; git add -A; git commit -qm "Do it"',
  })
  const configuration = join(repo.dir, 'gza.yaml')
  writeFileSync(configuration, `${readFileSync(configuration, 'utf8')}\nviews:\n  urgent: priority:critical,high\n`)
  repo.add('Write the parser', '--priority', 'high', '--milestone', 'M2', '--key', 'syntax:1')
  repo.add('Write the lexer', '--milestone', 'M10', '--group', 'words')
  repo.add('Test the parser', '--after', '1', '--after', '2')
  repo.add('Break it', '--max-attempts', '1')
  repo.add('Write the printer', '--priority', 'low')
  repo.add('Run for long')
  repo.gza('work', '4')
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Board' }).click()
  await card(1).waitFor()
})

afterAll(async () => {
  await browser.close()
  await served.stop()
})

const column = (title: string) => page.getByRole('region', { name: title, exact: true })
const band = (title: string) => column('Ready').getByRole('region', { name: title, exact: true })
const card = (number: number) =>
  page.locator('.card').filter({ has: page.locator('.number').getByText(`#${number}`, { exact: true }) })
const box = (number: number) => page.getByRole('checkbox', { name: `Select #${number}`, exact: true })
const actions = () => page.getByRole('region', { name: 'Selected cards' })
const outcome = () => page.locator('.outcome')
const countOf = (title: string) => column(title).getByRole('heading', { level: 2 }).locator('.count')

async function filter(line: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Filter' }).fill(line)
  await page.getByRole('searchbox', { name: 'Filter' }).press('Enter')
}

const filterIs = (line: string) =>
  eventually(async () => expect(await page.getByRole('searchbox', { name: 'Filter' }).inputValue()).toBe(line))

async function shown(): Promise<string[]> {
  return (await page.locator('.card .number').allInnerTexts()).sort()
}

/** Waits until exactly these cards are shown. */
async function showsOnly(...numbers: string[]): Promise<void> {
  const wanted = numbers.sort().join()
  await until(async () => (await shown()).join() === wanted)
}

test('a card names its key, agent, attempt and cost, and links to what it waits for', async () => {
  expect(await card(1).locator('.key').innerText()).toBe('syntax:1')
  const failed = await column('Failed').locator('.card').innerText()
  expect(failed).toContain('scripted')
  expect(failed).toContain('attempt 1')
  expect(failed).toContain('cost unknown')
  expect(await card(3).getByRole('link', { name: '#2 Write the lexer' }).innerText()).toBe('#2')
  await card(3).getByRole('link', { name: '#1 Write the parser' }).click()
  await page.getByRole('heading', { level: 1, name: 'Write the parser' }).waitFor()
  await page.goBack()
  await card(3).waitFor()
})

test('the filter line has the words of search and the flags of list, and counts what is left', async () => {
  await filter('parser')
  await showsOnly('#1', '#3')
  expect(await countOf('Ready').innerText()).toBe('1 of 4')
  await filter('write --not --milestone M2 --priority medium,low')
  await showsOnly('#2', '#5')
  await filter('walrus:x')
  await page.getByText("No task matches. 'walrus:' is not a field, so it was searched for as text.").waitFor()
})

test('the filter is in the address: the back button and a link bring it back', async () => {
  await filter('parser')
  await showsOnly('#1', '#3')
  expect(new URL(page.url()).searchParams.get('filter')).toBe('parser')
  await filter('lexer')
  await showsOnly('#2')
  await page.goBack()
  await showsOnly('#1', '#3')
  await filterIs('parser')
  await page.reload()
  await showsOnly('#1', '#3')
})

test('a mistake is the sentence of the command line, and the last good result stays', async () => {
  await filter('parser --priority hig')
  const mistake = page.getByRole('alert')
  await mistake.waitFor()
  expect(await mistake.innerText()).toBe("'hig' is not a valid priority. One of: critical, high, medium, low")
  expect(await shown()).toEqual(['#1', '#3'])
  await filter('parser --priority high')
  await showsOnly('#1')
  await mistake.waitFor({ state: 'detached' })
})

test('a saved view can be chosen, and the language is explained', async () => {
  await page.getByRole('combobox', { name: 'Saved view' }).selectOption('urgent')
  await showsOnly('#1')
  await filterIs('--view urgent')
  await page.getByRole('button', { name: 'Filter help' }).click()
  await page.getByRole('dialog', { name: 'How to filter' }).getByText('--since 2d', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'How to filter' }).waitFor({ state: 'hidden' })
  await filter('')
  await card(5).waitFor()
})

test('cards are grouped below headings with counts, and the grouping is in the address', async () => {
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('milestone')
  await column('Ready').getByRole('heading', { name: 'M10' }).waitFor()
  expect(await column('Ready').getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
    ...['M2\n1', 'M10\n1', 'No milestone\n2'],
  ])
  expect(new URL(page.url()).searchParams.get('by')).toBe('milestone')
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('agent')
  await column('Failed').getByRole('heading', { name: 'scripted' }).waitFor()
  await page.goBack()
  await column('Ready').getByRole('heading', { name: 'M10' }).waitFor()
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('')
  await band('Critical').waitFor()
})

test('a card dragged to another priority gets it', async () => {
  expect(await column('Ready').getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
    ...['Critical\n0', 'High\n1', 'Medium\n2', 'Low\n1'],
  ])
  await card(5).dragTo(band('Critical'))
  await band('Critical').getByText('Write the printer').waitFor()
  await outcome().getByText('Now critical: #5').waitFor()
  expect(repo.task('5').priority).toBe('critical')
})

test('keys change the priority too, and it is read out', async () => {
  await card(5).getByRole('link').first().focus()
  await page.keyboard.press('-')
  await band('High').getByText('Write the printer').waitFor()
  await page.getByRole('status').filter({ hasText: 'Now high: #5' }).waitFor()
  expect(repo.task('5').priority).toBe('high')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('In Ready: raise the priority').waitFor()
  await page.keyboard.press('Escape')
})

test('keys that are pressed faster than the ledger is written are steps one after the other', async () => {
  await card(5).getByRole('link').first().focus()
  for (const key of ['-', '-', '+']) await page.keyboard.press(key)
  await outcome().getByText('Now medium: #5').waitFor()
  await until(() => repo.task('5').priority === 'medium')
  await band('Medium').getByText('Write the printer').waitFor()
  // The card has moved twice, and still has the focus.
  await page.keyboard.press('+')
  await band('High').getByText('Write the printer').waitFor()
  expect(repo.task('5').priority).toBe('high')
})

test('cards are selected with the mouse, as a range, and with the keyboard', async () => {
  await box(1).click()
  await box(6).click({ modifiers: ['Shift'] })
  await actions().getByText('4 selected').waitFor()
  await eventually(async () => expect(await box(5).isChecked()).toBe(true))
  await page.keyboard.press('Escape')
  await actions().waitFor({ state: 'detached' })
  await card(1).getByRole('link').first().focus()
  await page.keyboard.press('x')
  await actions().getByText('1 selected').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('X')
  await actions().getByText('3 selected').waitFor()
  await actions().getByRole('button', { name: 'End selection' }).click()
})

test('several tasks are changed at once, and one that changed meanwhile is refused by name', async () => {
  await box(1).click()
  await box(2).click()
  repo.gza('note', '2', 'from a terminal')
  await card(2).getByText('Changed since you selected it').waitFor()
  await actions().getByRole('combobox', { name: 'Set priority' }).selectOption('critical')
  await outcome().getByText('Now critical: #1').waitFor()
  await outcome().getByRole('listitem').getByText('has changed since you looked at it').waitFor()
  expect([repo.task('1').priority, repo.task('2').priority]).toEqual(['critical', 'medium'])
  // It stays selected, as it is now.
  await actions().getByText('1 selected').waitFor()
  await actions().getByRole('combobox', { name: 'Group', exact: true }).fill('syntax')
  await actions().getByRole('button', { name: 'Set group' }).click()
  await outcome().getByText('Now in syntax: #2').waitFor()
  expect(repo.task('2').group).toBe('syntax')
  await actions().waitFor({ state: 'detached' })
})

test('tasks are assigned, and failed ones reset after their effect was named', async () => {
  await box(2).click()
  await actions().getByRole('combobox', { name: 'Assign to' }).selectOption('codex')
  await outcome().getByText('Assigned to codex: #2').waitFor()
  expect(repo.task('2').assigned_agent).toBe('codex')
  await box(4).click()
  await actions().getByRole('button', { name: 'Reset' }).click()
  const confirm = page.getByRole('group', { name: 'Confirm: Reset' })
  await confirm.getByText('gza resolve 4 --reset').waitFor()
  expect(repo.task('4').status).toBe('failed')
  await confirm.getByRole('button', { name: 'Reset (1)' }).click()
  await outcome().getByText('Open again: #4').waitFor()
  await column('Ready').getByText('Break it').waitFor()
})

test('work is started on the selected tasks after a confirmation, and is seen to run', async () => {
  await box(6).click()
  await actions().getByRole('button', { name: 'Start work' }).click()
  const confirm = page.getByRole('group', { name: 'Confirm: Start work' })
  await confirm.getByText('gza work 6 --wait').waitFor()
  await confirm.getByRole('button', { name: 'Start work (1)' }).click()
  await outcome().getByText('Work was started on: #6').waitFor()
  await column('Running').getByText('Run for long').waitFor()
  writeFileSync(repo.beside('go'), '')
  await column('Running').getByText('Run for long').waitFor({ state: 'detached' })
  expect(repo.task('6').status).toBe('completed')
})

test('axe finds nothing while cards are selected and the filter is wrong, dark and light, wide and narrow', async () => {
  const found: string[] = []
  await box(1).click()
  await actions().getByRole('button', { name: 'Start work' }).click()
  await filter('--nothing')
  await page.getByRole('alert').waitFor()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const theme of ['Light', 'Dark']) {
      const button = page.getByRole('button', { name: theme, exact: true })
      if (await button.isVisible()) await button.click()
      found.push(...(await axeFinds(page)).map((each) => `${theme}, ${width}: ${each}`))
    }
  }
  expect(found).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await filter('')
})

test('of 2,000 tasks the first 50 of a column are shown, more on demand, and the filter finds one', async () => {
  const lines = Array.from({ length: 2000 }, (_, at) =>
    JSON.stringify({ content: `Imported ${at}${at === 1234 ? ' walrus' : ''}`, priority: at < 10 ? 'high' : 'low' }),
  )
  writeFileSync(repo.beside('many.jsonl'), lines.join('\n'))
  expect(repo.gza('import', repo.beside('many.jsonl')).code).toBe(0)
  await column('Ready')
    .getByRole('button', { name: /^Show more/ })
    .waitFor()
  expect(await column('Ready').locator('.card').count()).toBe(50)
  const total = Number(await countOf('Ready').innerText())
  expect(total).toBeGreaterThanOrEqual(2000)
  await column('Ready')
    .getByRole('button', { name: `Show more (${total - 50})` })
    .click()
  await column('Ready')
    .getByRole('button', { name: `Show more (${total - 250})` })
    .waitFor()
  expect(await column('Ready').locator('.card').count()).toBe(250)
  await filter('walrus --priority low')
  await page.locator('.card').nth(1).waitFor({ state: 'detached' })
  expect(await page.locator('.card .title').innerText()).toBe('Imported 1234 walrus')
  expect(await countOf('Ready').innerText()).toBe(`1 of ${total}`)
})

test('nothing went wrong in the page, and no request left the server', () => {
  expect(problems).toEqual([])
})

test('a server that only shows has neither boxes nor cards to drag', async () => {
  await served.stop()
  served = await servePage(repo, '--read-only')
  const { page: only } = await openPage(browser, served)
  await only.getByRole('heading', { level: 1 }).waitFor()
  await only.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Board' }).click()
  await only.locator('.card').first().waitFor()
  expect(await only.getByRole('checkbox').count()).toBe(0)
  expect(await only.locator('[draggable="true"]').count()).toBe(0)
})
