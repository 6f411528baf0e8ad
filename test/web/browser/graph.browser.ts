import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { commitFiles } from '../../support/handmade-commits.ts'
import type { Repo } from '../../support/repo.ts'
import { until } from '../../support/until.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { axeFinds } from './axe.ts'
import { eventually, openBrowser, openPage } from './browser.ts'
import { aLargePlan, LAYERS } from './graph-repo.ts'

let repo: Repo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]

beforeAll(async () => {
  repo = aLargePlan()
  served = await servePage(repo)
  browser = await openBrowser()
  ;({ page, problems } = await openPage(browser, served))
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Graph' }).click()
  await page.locator('.node').first().waitFor()
})

afterAll(async () => {
  await browser.close()
  await served.stop()
})

const frame = () => page.getByRole('region', { name: 'Dependencies of tasks' })
const node = (number: number) => page.locator(`.node[href$="/task/${number}"]`)
const scale = () => page.evaluate("document.querySelector('.picture svg').getAttribute('width')").then(Number)
const isInFrame = async (number: number) => {
  const [inner, outer] = [await node(number).boundingBox(), await frame().boundingBox()]
  if (inner === null || outer === null) return false
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}

test('475 open tasks of a plan are drawn, and the whole picture is seen at first', async () => {
  expect(await page.locator('.node').count()).toBe(475)
  const outside = `(() => {
    const frame = document.querySelector('.picture').getBoundingClientRect()
    return [...document.querySelectorAll('.node rect')].map((each) => each.getBoundingClientRect())
      .filter((box) => box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom).length
  })()`
  await eventually(async () => expect(await page.evaluate(outside)).toBe(0))
})

test('a status is a word and a sign, not only a colour', async () => {
  const legend = page.getByRole('list', { name: 'Legend' })
  expect(await legend.innerText()).toMatch(/○ pending\s+25\s+◌ blocked\s+450\s+━ critical path\s+19/)
  expect(await node(26).locator('title').textContent()).toMatch(/^#26 Step 1 of part 1, pending/)
  expect(await node(26).locator('text').textContent()).toContain('○')
  expect(await node(100).locator('text').textContent()).toContain('◌')
})

test('the critical path is the one of gza simulate', async () => {
  const simulated = JSON.parse(repo.gza('simulate', '--json').stdout).critical_path.tasks as { number: number }[]
  const hrefs = await page.locator('.node.on-path').evaluateAll((all) => all.map((each) => each.getAttribute('href')))
  const marked = hrefs.map((href) => Number(href?.split('/').at(-1)))
  expect(marked.sort((a, b) => a - b)).toEqual(simulated.map(({ number }) => number).sort((a, b) => a - b))
  expect(marked.length).toBe(LAYERS - 1)
  expect(await page.locator('.edge.critical').count()).toBe(LAYERS - 2)
})

test('buttons, keys and the wheel with Ctrl zoom, and the whole graph is back with one key', async () => {
  const fitted = await scale()
  await page.getByRole('button', { name: 'Larger' }).click()
  await until(async () => (await scale()) > fitted)
  await page.keyboard.press('0')
  await until(async () => (await scale()) === fitted)
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await until(async () => (await scale()) > fitted * 1.5)
  const twice = await scale()
  await page.keyboard.press('-')
  await until(async () => (await scale()) < twice)
  const before = await scale()
  const box = await frame().boundingBox()
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 200)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -200)
  await page.keyboard.up('Control')
  await until(async () => (await scale()) > before)
  await page.getByRole('button', { name: 'Fit' }).click()
  await until(async () => (await scale()) === fitted)
})

test('a search marks what it finds, jumps to it, and shows the title as text', async () => {
  for (let step = 0; step < 4; step++) await page.keyboard.press('+')
  await page.keyboard.press('/')
  await page.getByRole('searchbox', { name: 'Find a task' }).fill('needle')
  await page.getByText('1 of 1').waitFor()
  expect(await page.locator('.node.found').count()).toBe(1)
  await until(() => isInFrame(334), '#334 is in the frame')
  expect(await node(334).locator('text').last().textContent()).toStartWith('#334 Needle <i')
  expect(await node(334).locator('title').textContent()).toStartWith('#334 Needle <img src=x onerror=alert(1)>, ')
  await page.getByRole('searchbox', { name: 'Find a task' }).fill('of part 25')
  await page.getByText(`1 of ${LAYERS - 1}`).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(`2 of ${LAYERS - 1}`).waitFor()
  await until(() => isInFrame(75), '#75 is in the frame')
  await page.getByRole('searchbox', { name: 'Find a task' }).fill('nothing like that')
  await page.getByText('nothing found').waitFor()
  await page.getByRole('searchbox', { name: 'Find a task' }).fill('')
})

test('arrows go from a task to what it needs, to what needs it, and to its neighbours; Enter opens it', async () => {
  await node(100).focus()
  await page.keyboard.press('ArrowRight')
  const focused = () => page.evaluate("document.activeElement.getAttribute('href').split('/').at(-1)").then(Number)
  await until(async () => (await focused()) === 125)
  await until(() => isInFrame(125), '#125 is in the frame')
  await page.keyboard.press('ArrowLeft')
  expect([100, 82]).toContain(await focused())
  await page.keyboard.press('ArrowDown')
  const below = await focused()
  expect([below > 75, below <= 100]).toEqual([true, true])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /Step 3 of part/ }).waitFor()
  await page.goBack()
  await page.locator('.node').first().waitFor()
})

test('finished tasks are shown with their own address, and tasks without dependencies in a list', async () => {
  await page.getByLabel('finished tasks too').check()
  await node(1).waitFor()
  expect(new URL(page.url()).search).toBe('?all=true')
  expect(await node(1).locator('text').first().textContent()).toContain('✓')
  await page.getByRole('link', { name: '#501 Alone 1' }).waitFor()
})

test('tasks that wait for each other are named', async () => {
  expect(await page.getByText('These tasks wait for each other').count()).toBe(0)
  // No command allows it. Two clones that add one edge each can.
  commitFiles(repo, { 'tasks.jsonl': (text) => withEdge(text, 451, 476) })
  const cycle = page.getByRole('alert').filter({ hasText: 'These tasks wait for each other' })
  await cycle.getByRole('link', { name: '#476 Step 19 of part 1' }).first().waitFor()
  expect(await page.locator('.edge.cyclic').count()).toBe(2)
})

/** Lets one task need another. */
function withEdge(lines: string, from: number, to: number): string {
  const tasks = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { number: number; uid: string })
  const needed = tasks.find(({ number }) => number === to)
  const edged = tasks.map((task) => (task.number === from ? { ...task, depends_on: [`task-${needed?.uid}`] } : task))
  return `${edged.map((task) => JSON.stringify(task)).join('\n')}\n`
}

test('axe finds nothing in the graph, dark and light, wide and narrow', async () => {
  const found: string[] = []
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const theme of ['Light', 'Dark']) {
      const button = page.getByRole('button', { name: theme, exact: true })
      if (await button.isVisible()) await button.click()
      found.push(...(await axeFinds(page)).map((each) => `${theme}, ${width}: ${each}`))
    }
  }
  expect(found).toEqual([])
  expect(problems).toEqual([])
})
