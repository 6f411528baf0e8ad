import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../test/web/browser/browser.ts'

/**
 * Makes the pictures of the page in docs/pictures, from the repository of `gza demo --web`. It needs a built gza and
 * Chromium. With a folder as its argument, it takes every view in both themes and at three widths into that folder, for a
 * person to look at.
 */
const ROOT = dirname(import.meta.dir)
const [folder] = process.argv.slice(2)

interface Picture {
  name: string
  /** Below the address of the repository. */
  path: string
  /** What is on the page when it is complete: a selector of Playwright. */
  has: string
}

const PICTURES: readonly Picture[] = [
  { name: 'needs-you', path: 'inbox', has: 'text=Are prices in euros or in dollars?' },
  { name: 'board', path: 'board', has: 'text=Write the manual of the shop' },
  { name: 'task', path: 'task/3', has: 'text=Take 10 % off' },
  { name: 'diff', path: 'diff/7', has: 'text=Request changes' },
  { name: 'graph', path: 'graph', has: '.node' },
  { name: 'numbers', path: 'numbers', has: 'text=demo' },
]
const OTHERS: readonly Picture[] = [
  { name: 'live', path: 'live', has: 'text=I write page' },
  { name: 'landing', path: 'landing', has: 'text=Keep the line ends' },
  { name: 'agents', path: 'agents', has: 'text=demo' },
]

const demo = spawn(join(ROOT, 'dist/gza'), ['demo', '--web', '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] })
const ended = new Promise((resolve) => demo.on('close', resolve))
const browser = await openBrowser()
try {
  // Without motion: a picture is taken of what is there, and not of what is on its way.
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await page.goto(await addressOfDemo())
  await page.waitForURL(/\/inbox$/)
  const repository = new URL(page.url()).pathname.split('/')[1] ?? ''
  if (folder === undefined) await takeAll(page, repository, { into: join(ROOT, 'docs/pictures'), pictures: PICTURES })
  else await takeEvery(page, repository, folder)
} finally {
  await browser.close()
  demo.kill('SIGINT')
  await ended
}

function addressOfDemo(): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    demo.stdout.on('data', (bytes) => {
      printed += bytes
      const found = /http:\/\/127\.0\.0\.1:\d+\/#[\w-]+/.exec(printed)
      if (found) resolve(found[0])
    })
    demo.on('close', () => reject(new Error(`gza demo ended: ${printed}`)))
  })
}

async function takeEvery(page: Page, repository: string, into: string): Promise<void> {
  for (const width of [1440, 900, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const pictures = [...PICTURES, ...OTHERS].map((picture) => {
        return { ...picture, name: `${picture.name}-${width}-${colorScheme}` }
      })
      await takeAll(page, repository, { into, pictures })
    }
  }
}

async function takeAll(
  page: Page,
  repository: string,
  { into, pictures }: { into: string; pictures: readonly Picture[] },
): Promise<void> {
  mkdirSync(into, { recursive: true })
  for (const { name, path, has } of pictures) {
    await page.goto(new URL(`/${repository}/${path}`, page.url()).href)
    await page.locator(has).first().waitFor()
    await page.locator('.connection.live').waitFor()
    await page.locator('.tab .count').first().waitFor()
    await page.locator('.loading').waitFor({ state: 'detached' })
    await page.screenshot({ path: join(into, `${name}.png`) })
    console.log(`${name}.png`)
  }
}
