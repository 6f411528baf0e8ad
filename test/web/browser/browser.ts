import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { until } from '../../support/until.ts'
import type { ServedPage } from '../served-page.ts'

const CHROMIUM = '/usr/bin/chromium'
const FLAGS = [
  ...['--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update'],
  ...['--disable-sync', '--no-first-run', '--disable-quic'],
]

/** A real browser. As root it has no sandbox of its own. */
export function openBrowser(...more: string[]): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error('There is no Chromium: npm run test:web installs it')
  const args = [...FLAGS, ...more, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  return chromium.launch({ executablePath: CHROMIUM, args })
}

/** Far more than anything takes, also on a busy machine, and less than a test may take. */
export const PATIENCE_MS = 90_000

export interface OpenedPage {
  page: Page
  /** Errors in the page, and requests that left the server's origin. */
  problems: string[]
}

/**
 * The policy of the page forbids `eval`, which `page.waitForFunction` needs for every look but its first. Tests wait with
 * `until` and `page.evaluate` instead.
 */
export async function openPage(browser: Browser, served: ServedPage, width = 1440): Promise<OpenedPage> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  page.setDefaultTimeout(PATIENCE_MS)
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(served.origin) && !request.url().startsWith('data:')) problems.push(request.url())
  })
  await page.goto(served.address)
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  return { page, problems }
}

/** Waits until an expectation holds: the page is drawn a moment after what a test does. */
export async function eventually(expectation: () => Promise<void>): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await expectation()
    } catch (error) {
      if (performance.now() > end) throw error
      await Bun.sleep(50)
    }
  }
}

/** Waits until nothing of the view is being read. */
export async function isRead(page: Page): Promise<void> {
  await until(async () => (await page.locator('.loading').count()) === 0, 'everything is read')
}
