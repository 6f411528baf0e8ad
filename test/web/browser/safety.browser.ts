import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { type ServedPage, servePage } from '../served-page.ts'
import { isRead, openBrowser, openPage } from './browser.ts'

/** Texts that would do something if any part of the page took them for more than text. Each would call `pwned`. */
const HOSTILE = [
  '<script>pwned()</script>',
  '"><script>pwned()</script>',
  "'><img src=x onerror=pwned()>",
  '<img src=x onerror=pwned()>',
  '<svg onload=pwned()>',
  '<svg><script>pwned()</script></svg>',
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  '<iframe src="javascript:parent.pwned()"></iframe>',
  '<body onload=pwned()>',
  '<details open ontoggle=pwned()>',
  '<input autofocus onfocus=pwned()>',
  '<a href="javascript:pwned()">click</a>',
  '[click](javascript:pwned())',
  '[click](JaVaScRiPt:pwned())',
  '[click](data:text/html,<script>pwned()</script>)',
  '![x](javascript:pwned())',
  '![x](https://example.com/leak.png)',
  '<https://example.com/"onmouseover="pwned()>',
  '[a]: javascript:pwned()\n\n[a]',
  '```html\n<script>pwned()</script>\n```',
  '<style>@import "https://example.com/leak.css";</style>',
  '<link rel=stylesheet href=https://example.com/leak.css>',
  '<meta http-equiv=refresh content="0;url=https://example.com/">',
  '<base href=https://example.com/>',
  '<form action=https://example.com/><button>send</button></form>',
  '<object data=https://example.com/leak></object>',
  '<math><mtext><script>pwned()</script></mtext></math>',
  '{{constructor.constructor("pwned()")()}}',
  '\u001b]8;;https://example.com/\u0007link\u001b]8;;\u0007 \u001b[2J\u001b[31mred',
  '\u202egnp.exe \u2066<script>pwned()</script>\u2069 \u200b\ufeff\u{e0041} \u0000',
] as const

let repo: AgentRepo
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]

beforeAll(async () => {
  repo = anAgentRepo({
    // What an agent prints and commits is as hostile as what it is given.
    else: [
      'printf "%s\\n" "<img src=x onerror=pwned()>" "$(printf "\\033[2J\\033]0;pwned\\007")"',
      'mkdir -p "<img src=x onerror=pwned()>"',
      'echo "<script>pwned()</script>" > "<img src=x onerror=pwned()>/<b>.html"',
      'echo x > "<svg onload=pwned()>"',
      'git add -A && git commit -qm "<script>pwned()</script>"',
    ].join('\n'),
  })
  repo.write(
    'tasks.jsonl',
    HOSTILE.map((text, at) => JSON.stringify({ id: `h${at}`, content: `Task ${at}: ${text}\n\n${text}` })).join('\n'),
  )
  repo.gza('import', 'tasks.jsonl')
  repo.run(['rm', 'tasks.jsonl'])
  for (const [at, text] of HOSTILE.entries()) if (!text.includes('\u0000')) repo.gza('note', String(at + 1), '--', text)
  repo.add('Do it', '--accept', HOSTILE[0], '--group', HOSTILE[3], '--files-to-create', HOSTILE[4])
  expect(repo.gza('work', String(HOSTILE.length + 1)).code).toBe(0)
  served = await servePage(repo)
  browser = await openBrowser('--host-resolver-rules=MAP evil.test 127.0.0.1')
  ;({ page, problems } = await openPage(browser, served))
})

afterAll(async () => {
  await browser.close()
  await served.stop()
})

const view = (title: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click()

/** What texts may never have become. */
async function madeOfText(): Promise<string[]> {
  const made = 'iframe, object, embed, base, form[action], style, main img, main script, main link, main meta'
  const found = await page.locator(made).evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 80)))
  const links = await page.locator('a[href]').evaluateAll((all) => all.map((each) => (each as { href: string }).href))
  const isPwned = await page.evaluate('"pwned" in window || document.title.includes("pwned()")')
  const isTurned = await page.evaluate(
    '/[\u200b\ufeff\u202a-\u202e\u2066-\u2069\u{e0041}]/u.test(document.body.innerText)',
  )
  if (isTurned) found.push('a character that is not seen, or turns the direction of text')
  return [...found, ...links.filter((href) => !/^(https?|mailto):/.test(href)), ...(isPwned ? ['pwned'] : [])]
}

test('there are thirty hostile texts', () => {
  expect(HOSTILE.length).toBe(30)
})

test.each(['Needs you', 'Board', 'Live', 'Graph', 'Landing', 'Numbers', 'Agents'])(
  'in %s they stay texts',
  async (title) => {
    await view(title)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await isRead(page)
    expect(await madeOfText()).toEqual([])
  },
)

test('on the page of each task they stay texts, as markdown too', async () => {
  const repository = new URL(page.url()).pathname.split('/')[1]
  const found: string[] = []
  for (let number = 1; number <= HOSTILE.length; number++) {
    await page.goto(`${served.origin}/${repository}/task/${number}`)
    await page
      .getByRole('heading', { level: 1 })
      .getByText(`Task ${number - 1}:`)
      .waitFor()
    found.push(...(await madeOfText()).map((each) => `#${number}: ${each}`))
  }
  expect(found).toEqual([])
})

test.each(['>', '> ', '1. ', '- '])(
  'a note that is nested without end by %j hides nothing of its task',
  async (mark) => {
    const number = repo.add('Read the note')
    repo.gza('note', number, '--', `${mark.repeat(5000)}the end`)
    await page.goto(`${served.origin}/${new URL(page.url()).pathname.split('/')[1]}/task/${number}`)
    await page.getByLabel('Add a note').waitFor()
    await page.locator('.notes').getByText('the end').waitFor()
  },
)

test('in the task, the diff and the log of what an agent did they stay texts', async () => {
  const repository = new URL(page.url()).pathname.split('/')[1]
  for (const path of ['task', 'diff']) {
    await page.goto(`${served.origin}/${repository}/${path}/${HOSTILE.length + 1}`)
    await page
      .getByText(path === 'diff' ? '<script>pwned()</script>' : 'Do it')
      .first()
      .waitFor()
    await page.locator('details').evaluateAll((all) => {
      for (const folded of all) (folded as unknown as { open: boolean }).open = true
    })
    await isRead(page)
    expect(await madeOfText()).toEqual([])
  }
})

test('no policy was broken, and no request left the server', () => {
  expect(problems).toEqual([])
})

test('the address works once: somebody who reads it later is not signed in', async () => {
  const context = await browser.newContext()
  const late = await context.newPage()
  await late.goto(served.address)
  await late.getByText('gza web').first().waitFor()
  expect(await late.getByRole('navigation', { name: 'Views' }).count()).toBe(0)
  await context.close()
})

test('a page of another origin can neither read nor act nor show the page inside of it', async () => {
  const other = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('<!doctype html><title>other</title>', { headers: { 'content-type': 'text/html' } }),
  })
  const stranger = await browser.newPage()
  await stranger.goto(`http://127.0.0.1:${other.port}/`)
  const tried = await stranger.evaluate(async (origin) => {
    const attempt = async (path: string, init?: object): Promise<string> => {
      try {
        const response = await fetch(`${origin}${path}`, init)
        return `${response.type} ${response.status} ${(await response.text()).length}`
      } catch {
        return 'blocked'
      }
    }
    const text = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"ref":"1","text":"x"}' }
    return [
      await attempt('/api/repositories'),
      await attempt('/api/repositories', { credentials: 'include', headers: { authorization: 'Bearer x' } }),
      await attempt('/api/repositories', { mode: 'no-cors' }),
      await attempt('/api/r/x/actions/note', { ...text, mode: 'no-cors' }),
      await attempt('/api/sign-in', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
    ]
  }, served.origin)
  // An opaque answer has no status and no content for the page that asked.
  expect(tried).toEqual(['blocked', 'blocked', 'blocked', 'blocked', 'blocked'])
  await stranger.evaluate(`new Promise((loaded) => {
    const frame = document.createElement('iframe')
    frame.src = '${served.origin}'
    frame.addEventListener('load', loaded)
    document.body.append(frame)
  })`)
  const shown = stranger.frames().filter((frame) => frame.url().startsWith(served.origin))
  expect(await Promise.all(shown.map((frame) => frame.locator('nav').count()))).toEqual(shown.map(() => 0))
  await stranger.close()
  await other.stop(true)
})

test('a name that leads to this machine is refused (DNS rebinding)', async () => {
  const rebound = await browser.newPage()
  const answer = await rebound.goto(`http://evil.test:${served.port}/`)
  expect(answer?.status()).toBe(421)
  const read = await rebound.evaluate(() => fetch('/api/repositories').then(({ status }) => status))
  expect(read).toBe(421)
  await rebound.close()
})
