import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { AgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'
import { answerOf, type ServedPage, servePage } from '../served-page.ts'
import { openBrowser, openPage } from './browser.ts'

/** Each agent prints what the test writes for it, until it is told to end. */
const ACT = [
  `printf '{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make %s"}}]},"session_id":"s1"}\\n' "$title"`,
  'touch "$beside/say $title"; say "I am $title"',
  `tail -n +1 -f "$beside/say $title" & tail=$!`,
  'until [ -e "$beside/end $title" ]; do sleep 0.1; done; kill $tail',
  'commit "$title.txt" done; result "done with $title"',
].join('\n')

const AGENTS = Array.from({ length: 12 }, (_, index) => `Agent ${String.fromCharCode(65 + index)}`)

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]
let working: Promise<unknown>

const panel = (title: string) => page.getByRole('article').filter({ hasText: title })
const log = (title: string) => panel(title).getByRole('log')
const say = (title: string, text: string): void => appendFileSync(repo.beside(`say ${title}`), `${text}\n`)

beforeAll(async () => {
  repo = withClaude({ else: ACT })
  for (const title of AGENTS) repo.add(title)
  working = repo.start([
    join(import.meta.dir, '../../../dist/gza'),
    'work',
    '--all',
    '--workers',
    '12',
    '--no-base-check',
  ])
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Live' }).click()
})

afterAll(async () => {
  for (const title of AGENTS) writeFileSync(repo.beside(`end ${title}`), '')
  await browser.close()
  await served.stop()
  await working
})

test('twelve agents are side by side, each with what it writes', async () => {
  for (const title of AGENTS) await log(title).getByText(`I am ${title}`, { exact: true }).waitFor()
  expect(await page.getByRole('article').count()).toBe(12)
  await page.getByText('12 agents are running').waitFor()
  const boxes = await Promise.all((await page.getByRole('article').all()).map((each) => each.boundingBox()))
  expect(new Set(boxes.map((box) => box?.y)).size).toBeLessThanOrEqual(4)
})

test('a tool call is folded, and opens', async () => {
  const call = log('Agent A').locator('details')
  expect(await call.locator('summary').innerText()).toContain('Bash')
  expect(await call.getAttribute('open')).toBeNull()
  await call.locator('summary').click()
  await call.locator('pre').getByText('make Agent A').waitFor()
})

test('the filter keeps the agents that match, and the keyboard goes there', async () => {
  await page.keyboard.press('/')
  await page.keyboard.type('agent k')
  await panel('Agent A').waitFor({ state: 'detached' })
  expect(await page.getByRole('article').count()).toBe(1)
  await page.getByRole('searchbox').fill('')
  await panel('Agent A').waitFor()
})

test('what an agent prints comes as it is printed, and a paused one waits', async () => {
  await panel('Agent B').getByRole('button', { name: 'Pause' }).click()
  say('Agent B', 'while it was paused')
  say('Agent C', 'after that')
  await log('Agent C').getByText('after that').waitFor()
  expect(await log('Agent B').getByText('while it was paused').count()).toBe(0)
  await panel('Agent B').getByRole('button', { name: 'Follow' }).click()
  await log('Agent B').getByText('while it was paused').waitFor()
})

test('hostile output is shown and does nothing', async () => {
  say(
    'Agent D',
    '\u001b]0;stolen title\u0007\u001b[2J\u001b[31mred\u001b[0m \u202egnp.exe <img src=x onerror=alert(1)>',
  )
  const shown = log('Agent D').getByText('<img src=x onerror=alert(1)>')
  await shown.waitFor()
  expect(await shown.innerText()).toBe(
    '\\x1b]0;stolen title\\x07\\x1b[2Jred \\u202egnp.exe <img src=x onerror=alert(1)>',
  )
  expect(await log('Agent D').locator('img').count()).toBe(0)
})

test('a line of a megabyte, and two thousand lines, leave the page small', async () => {
  say('Agent E', 'x'.repeat(1_000_000))
  await log('Agent E').getByText('bytes cut').waitFor()
  for (let at = 0; at < 2; at++)
    say('Agent E', Array.from({ length: 1000 }, (_, line) => `line ${at} ${line}`).join('\n'))
  say('Agent E', 'the last of them')
  await log('Agent E').getByText('the last of them').waitFor()
  await log('Agent E').getByText('Earlier output is not shown').waitFor()
  expect(await log('Agent E').locator('.printed').count()).toBeLessThanOrEqual(1000)
  expect((await log('Agent E').innerText()).length).toBeLessThan(500_000)
})

test('what an agent printed stays when it has ended', async () => {
  writeFileSync(repo.beside('end Agent F'), '')
  await panel('Agent F').getByText('The end of this run.').waitFor()
  await panel('Agent F').getByText('ended', { exact: true }).waitFor()
  await log('Agent F').getByText('I am Agent F').waitFor()
  await page.getByText('11 agents are running').waitFor()
})

test('one agent is stopped after its effect and the command were named', async () => {
  await panel('Agent G').getByRole('button', { name: 'Stop' }).click()
  const confirm = panel('Agent G').getByRole('group', { name: 'Confirm: Stop' })
  await confirm.getByText('Ends this run now').waitFor()
  expect(await confirm.locator('code').innerText()).toMatch(/^gza kill task-[0-9a-f]+$/)
  await confirm.getByRole('button', { name: 'Stop' }).click()
  await panel('Agent G').getByText('The end of this run.').waitFor()
  await log('Agent A').getByText('I am Agent A').waitFor()
  expect(await panel('Agent A').getByRole('button', { name: 'Stop' }).isVisible()).toBe(true)
})

test('a run that has ended is not stopped a second time, whatever runs now', async () => {
  const bearer = await answerOf(served.post('/api/sign-in', { token: tokenOf(repo) }, ''))
  const id = await served.repository(bearer.bearer)
  const refused = await served.post(
    `/api/r/${id}/actions/stop`,
    { ref: '1', run: '20200101000000-abcdef' },
    bearer.bearer,
  )
  expect((await answerOf(refused)).error.message).toContain('has ended')
  expect(repo.task('1').status).toBe('in_progress')
})

test('the list of keys has those of this view', async () => {
  await page.getByRole('heading', { level: 1, name: 'Live' }).click()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await keys.getByText('Pause or follow all agents').waitFor()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.keyboard.press('p')
  await page.getByRole('button', { name: 'Follow all' }).waitFor()
})

test('nothing went wrong in the page, and no request left the server', () => {
  expect(problems).toEqual([])
})

function tokenOf(from: AgentRepo): string {
  const { address } = JSON.parse(from.gza('web', '--no-open', '--json').stdout)
  return new URL(address).hash.slice(1)
}
