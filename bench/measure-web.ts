import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../test/web/browser/browser.ts'
import { makeLedger } from './ledgers.ts'
import type { Place } from './place.ts'
import { runQuietly } from './probe.ts'
import { measured, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { megabytes } from './table.ts'

const SHOWN = 2000
const MOST_SCRIPT_MS = 300
const MOST_DELAY_MS = 1000
const MOST_MEMORY = 80e6
const MOST_IDLE = 1
const REST_MS = 60_000
const IDLE_MS = 20_000

/** The page of `gza web` in Chromium, and what its server takes. Empty where there is no Chromium. */
export async function measureWeb(place: Place, rounds: number): Promise<Row[]> {
  if (!existsSync('/usr/bin/chromium')) return []
  const browser = await openBrowser()
  try {
    const { dir } = makeLedger(place, SHOWN, 'all open')
    const rows = [await firstView(place, browser, dir, rounds), await delay(place, browser, dir, rounds)]
    rows.push(await memoryAfterward(place, browser, dir))
    for (const tasks of [10, 10_000]) rows.push(await idle(place, browser, tasks))
    return rows
  } finally {
    await browser.close()
  }
}

async function firstView(place: Place, browser: Browser, dir: string, rounds: number): Promise<Row> {
  const found: number[] = []
  for (let round = 0; round < rounds; round++)
    await withBoard(place, browser, dir, async (_, scriptTime) => {
      found.push(await scriptTime())
    })
  return {
    ...{ what: 'page: the first view, script time', tasks: SHOWN, ...measured(found), ratio: '' },
    ...{ target: `≤ ${MOST_SCRIPT_MS} ms`, reached: summarize(found).median <= MOST_SCRIPT_MS },
  }
}

/** From the end of `gza edit` in another process until the card of the task shows it. */
async function delay(place: Place, browser: Browser, dir: string, rounds: number): Promise<Row> {
  const found: number[] = []
  await withBoard(place, browser, dir, async (page) => {
    for (let round = 0; round < rounds; round++) {
      const title = `Called so in round ${round}`
      // The oldest task is among the cards that are shown at first.
      runQuietly({ argv: [place.gza, 'edit', '1', '--title', title], cwd: dir, env: place.env })
      const added = performance.now()
      await page.getByText(title).first().waitFor()
      found.push(performance.now() - added)
    }
  })
  return {
    ...{ what: 'page: from a change to the screen', tasks: SHOWN, ...measured(found), ratio: '' },
    ...{ target: `≤ ${MOST_DELAY_MS / 1000} s`, reached: summarize(found).median <= MOST_DELAY_MS },
  }
}

/** A minute after the last request of a page that has shown everything. */
async function memoryAfterward(place: Place, browser: Browser, dir: string): Promise<Row> {
  const served = await serve(place, dir)
  const { page } = await openBoard(browser, served.address)
  await page.close()
  await Bun.sleep(REST_MS)
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${served.pid}/status`, 'utf8')) ?? []
  await served.stop()
  const found = [Number(kilobytes) * 1024]
  return {
    ...{ what: 'gza web, memory a minute after the last request', tasks: SHOWN, ...measured(found, megabytes) },
    ...{ ratio: '', target: `≤ ${megabytes(MOST_MEMORY)}`, reached: (found[0] as number) <= MOST_MEMORY },
  }
}

/** With an open page, and nothing that happens. */
async function idle(place: Place, browser: Browser, tasks: number): Promise<Row> {
  const { dir } = makeLedger(place, tasks, 'used')
  const served = await serve(place, dir)
  const { page } = await openBoard(browser, served.address)
  const before = processorMs(served.pid)
  await Bun.sleep(IDLE_MS)
  const share = ((processorMs(served.pid) - before) / IDLE_MS) * 100
  await page.close()
  await served.stop()
  return {
    ...{ what: 'gza web, idle with an open page, of one core', tasks, ...measured([share], percent), ratio: '' },
    ...{ target: `≤ ${MOST_IDLE} %`, reached: share <= MOST_IDLE },
  }
}

function percent(value: number): string {
  return `${value.toFixed(1)} %`
}

const TICK_MS = 10

/** User and system time of a process. */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

type Measure = (page: Page, scriptTime: () => Promise<number>) => Promise<void>

async function withBoard(place: Place, browser: Browser, dir: string, measure: Measure): Promise<void> {
  const served = await serve(place, dir)
  const { page, scriptTime } = await openBoard(browser, served.address)
  await measure(page, scriptTime)
  await page.close()
  await served.stop()
}

async function openBoard(browser: Browser, address: string) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const session = await page.context().newCDPSession(page)
  // It counts only from here on.
  await session.send('Performance.enable')
  await page.goto(address)
  await page.locator('.card').first().waitFor()
  /** How long the scripts of the page have run since it was opened, in milliseconds. */
  const scriptTime = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000
  }
  return { page, scriptTime }
}

function serve({ gza, env }: Place, dir: string) {
  const child = spawn(gza, ['web', '--no-open', '--json'], { cwd: dir, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const stop = async (): Promise<void> => {
    child.kill('SIGINT')
    await ended
  }
  return new Promise<{ address: string; pid: number; stop: () => Promise<void> }>((resolve, reject) => {
    child.stdout.once('data', (line) => resolve({ ...JSON.parse(String(line)), pid: child.pid as number, stop }))
    child.on('close', () => reject(new Error('gza web has ended')))
  })
}
