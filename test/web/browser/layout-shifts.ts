import type { Page } from 'playwright-core'

/** From the next load on, the browser reports whatever it moves without a person having done something. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.shifts = []
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput) shifts.push(...sources.map(({ node }) => node?.nodeName + ' ' + (node?.className ?? '')))
    }).observe({ type: 'layout-shift', buffered: true })`)
}

/** What has moved since the page was loaded. */
export async function shiftsOf(page: Page): Promise<string[]> {
  // The browser reports a frame after the frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return (await page.evaluate('shifts')) as string[]
}
