import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { axeFindsInBothThemes } from './axe.ts'
import { eventually, openBrowser, openPage } from './browser.ts'

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]

beforeAll(async () => {
  repo = anAgentRepo({ else: 'commit "work-$$.txt" "$title"' })
  repo.add('Write the parser', '--group', 'files', '--key', 'T1')
  repo.add('Use the parser', '--after', '1')
  repo.add('Read the docs')
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
  await page.getByRole('heading', { level: 1 }).first().waitFor()
})

afterAll(async () => {
  await browser.close()
  await served.stop()
})

const field = (name: string) => page.getByLabel(name, { exact: true })
const picker = (name: string) => page.getByRole('combobox', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })
test('a new task can be begun in every view, and by its key', async () => {
  for (const title of ['Needs you', 'Board', 'Live', 'Graph', 'Landing', 'Numbers', 'Agents']) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByRole('link', { name: 'New task' }).click()
    await page.getByRole('heading', { level: 1, name: 'New task' }).waitFor()
  }
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
  await page.keyboard.press('n')
  await page.getByRole('heading', { level: 1, name: 'New task' }).waitFor()
})

test('bad input gets the sentence of the use case, and nothing that was typed is lost', async () => {
  await field('Group').fill('docs')
  await button('File the task').click()
  await page.getByRole('alert').getByText('A task needs some content').waitFor()
  await field('Title').fill('Write the docs')
  await field('Key').fill('T1')
  await button('File the task').click()
  await page.getByRole('alert').getByText('T1').waitFor()
  expect([await field('Title').inputValue(), await field('Group').inputValue()]).toEqual(['Write the docs', 'docs'])
  expect(Object.keys(repo.statuses())).not.toContain('Write the docs')
})

test('a dependency is chosen with the keyboard alone, and a draft survives a reload', async () => {
  await field('Key').fill('T9')
  await field('Text (markdown, optional)').fill('All of **it**')
  await picker('After these tasks').fill('parser')
  await page.getByRole('option', { name: 'Use the parser' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.locator('.chip', { hasText: '#1 Write the parser' }).waitFor()
  await picker('Based on these tasks').fill('#2')
  await page.getByRole('option', { name: 'Use the parser' }).click()
  await field('Acceptance criteria (one on a line)').fill('It is short\nIt is true')
  await page.reload()
  await page.locator('.chip', { hasText: '#2 Use the parser' }).waitFor()
  expect(await field('Title').inputValue()).toBe('Write the docs')
  await field('Priority').selectOption('high')
  await field('Agent').fill('scripted')
  await field('Files to change (one on a line)').fill('README.md')
  await button('File the task').click()
  await page.getByRole('heading', { level: 1, name: 'Write the docs' }).waitFor()
  const filed = repo.task('4')
  const [first, second] = [repo.task('1').id, repo.task('2').id]
  expect([filed.title, filed.content, filed.group, filed.key]).toEqual([
    'Write the docs',
    'All of **it**',
    'docs',
    'T9',
  ])
  expect([filed.after, filed.based_on, filed.priority]).toEqual([[first], [second], 'high'])
  expect([filed.acceptance_criteria, filed.files_to_modify]).toEqual([['It is short', 'It is true'], ['README.md']])
  expect(filed.assigned_agent).toBe('scripted')
})

test('an edit changes only what was changed', async () => {
  await button('Edit').click()
  await button('Remove #2').click()
  await field('Acceptance criteria (one on a line)').fill('It is true')
  await field('Group').fill('')
  await button('Save').click()
  await button('Edit').waitFor()
  const { based_on, after, acceptance_criteria, group, title, content } = repo.task('4')
  expect([based_on, after, acceptance_criteria, group]).toEqual([[], [repo.task('1').id], ['It is true'], null])
  expect([title, content]).toEqual(['Write the docs', 'All of **it**'])
})

test('an edit of a task that somebody else has changed is refused, and the newer state is shown', async () => {
  await page.keyboard.press('e')
  await field('Title').fill('Write short docs')
  repo.gza('edit', '4', '--priority', 'low')
  await page.getByText('The task has changed since you began to edit it').waitFor()
  await page.locator('.newer', { hasText: 'priority is now' }).getByText('low').waitFor()
  await button('Save').click()
  await page.getByRole('alert').getByText('has changed since you looked at it').waitFor()
  expect(repo.task('4').title).toBe('Write the docs')
  await button('Keep what I typed, on top of the newer state').click()
  await button('Save').click()
  await page.getByRole('heading', { level: 1, name: 'Write short docs' }).waitFor()
  expect([repo.task('4').title, repo.task('4').priority]).toEqual(['Write short docs', 'low'])
})

test('a task is assigned and given back', async () => {
  await button('Assign').click()
  const confirm = page.getByRole('group', { name: 'Confirm: Assign' })
  await confirm.getByRole('combobox').selectOption('codex')
  await confirm.getByText('gza assign 4 codex').waitFor()
  await confirm.getByRole('button', { name: 'Assign' }).click()
  await page.locator('.properties', { hasText: 'codex' }).waitFor()
  expect(repo.task('4').assigned_agent).toBe('codex')
})

test('undo shows what it takes back before it does, and redo brings it back', async () => {
  await page.keyboard.press('u')
  const undo = dialog('Undo and redo').getByRole('region', { name: 'Undo' })
  await undo.getByText('#4').waitFor()
  await undo.getByText('codex').first().waitFor()
  await undo.getByRole('button', { name: 'Undo' }).click()
  await undo.getByText('Done:').waitFor()
  expect(repo.task('4').assigned_agent).toBe('scripted')
  const redo = dialog('Undo and redo').getByRole('region', { name: 'Redo' })
  await redo.getByRole('button', { name: 'Redo' }).click()
  await redo.getByText('Done:').waitFor()
  expect(repo.task('4').assigned_agent).toBe('codex')
  expect(await axeFindsInBothThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog('Undo and redo').waitFor({ state: 'detached' })
})

test('work is started after a dry run, with the chosen tasks, and another choice needs another dry run', async () => {
  await page.keyboard.press('s')
  const start = dialog('Start work')
  await start.getByRole('radio', { name: 'Only these' }).click()
  await start.getByRole('combobox', { name: 'Tasks' }).fill('docs')
  await start.getByRole('option', { name: 'Read the docs' }).click()
  await start.getByRole('button', { name: 'Dry run' }).click()
  await start.getByRole('region', { name: 'Dry run' }).getByText('Read the docs').waitFor()
  await start.getByText('gza work 3 --workers 1 --wait').waitFor()
  await start.getByLabel('How many at once').fill('2')
  await start.getByRole('button', { name: 'Dry run' }).click()
  await start.getByText('gza work 3 --workers 2 --wait').waitFor()
  expect(await axeFindsInBothThemes(page)).toEqual([])
  expect(repo.calls()).toEqual([])
  await start.getByRole('button', { name: 'Start work' }).click()
  await start.getByText('gza work --wait --workers=2 3').waitFor()
  await until(() => repo.task('3').status === 'completed')
  await start.getByText('has ended well').waitFor()
  await start.getByRole('button', { name: 'Close' }).click()
})

test('work that cannot start is shown as a failure with its message', async () => {
  await page.keyboard.press('s')
  const start = dialog('Start work')
  await start.getByRole('radio', { name: 'Only these' }).click()
  await start.getByRole('combobox', { name: 'Tasks' }).fill('#2')
  await start.getByRole('option', { name: 'Use the parser' }).click()
  await start.getByRole('button', { name: 'Dry run' }).click()
  await start.getByRole('region', { name: 'Dry run' }).getByText('is blocked by').waitFor()
  await start.getByRole('button', { name: 'Start work' }).click()
  await start.getByRole('alert').getByText('failed (exit code 1)').waitFor()
  await start.getByRole('alert').getByText('is blocked by').waitFor()
  expect(repo.task('2').attempts).toBe(0)
  await start.getByRole('button', { name: 'Close' }).click()
})

test('axe finds nothing in the form, and nothing is wider than a phone', async () => {
  await page.keyboard.press('n')
  await page.getByRole('heading', { level: 1, name: 'New task' }).waitFor()
  await picker('After these tasks').fill('docs')
  await page.locator('.offer').first().waitFor()
  expect(await axeFindsInBothThemes(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await axeFindsInBothThemes(page)).toEqual([])
  await eventually(async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390))
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('in a repository that is not trusted no work can be started, and the command is shown', async () => {
  const distrusted = anAgentRepo({ else: 'true' })
  distrusted.add('Do it')
  const other = await servePage(distrusted.withEnv({ GZA_TRUST: '' }))
  const { page: second, problems: more } = await openPage(browser, other)
  await second.getByRole('button', { name: 'Start work' }).click()
  const start = second.getByRole('dialog', { name: 'Start work' })
  await start.getByRole('alert').getByText('but is not trusted').waitFor()
  await start.locator('pre', { hasText: 'gza trust' }).waitFor()
  expect(await start.getByRole('button').allInnerTexts()).toEqual(['Close'])
  expect(more).toEqual([])
  await second.close()
  await other.stop()
})

test('nothing went wrong in the page, and no request left the server', () => {
  expect(problems).toEqual([])
})
