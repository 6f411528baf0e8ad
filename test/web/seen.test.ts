import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Landing } from '../../src/landing/progress/read-landing.ts'
import type { Machine } from '../../src/reports/machine/read-machine.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { until } from '../support/until.ts'
import { answerOf, type ServedPage, servePage } from './served-page.ts'

/** Of two people who act on the same thing, the second one is refused with a sentence. */

const LIMIT = Math.floor(Date.now() / 1000) + 365 * 24 * 3600

let repo: AgentRepo
let page: ServedPage
let bearer: string
let id: string
let head: string

beforeAll(async () => {
  repo = anAgentRepo({
    'Ask*': 'gza ask $task "Red or blue?"; commit asked.txt x',
    'Break*': 'exit 3',
    'Open*': 'env -u GZA_AGENT -u GZA_GUARD gza web --no-open; commit opened.txt x',
    'Limit*': `echo "Claude AI usage limit reached|${LIMIT}"; exit 1`,
    else: 'commit work.txt x',
  })
  repo.add('Write the parser')
  repo.add('Ask a person')
  repo.add('Break it', '--max-attempts', '1')
  repo.add('Do it')
  repo.add('Open the page')
  repo.add('Limit it')
  for (const ref of ['1', '2', '3', '5']) repo.gza('work', ref)
  head = repo.git('rev-parse', repo.task('1').branch as string)
  page = await servePage(repo)
  bearer = await page.signIn()
  id = await page.repository(bearer)
})

afterAll(() => page.stop())

async function read<T>(path: string): Promise<T> {
  return (await answerOf(page.get(`/api/r/${id}/${path}`, bearer))).value as T
}

const act = (name: string, body: object) => page.post(`/api/r/${id}/actions/${name}`, body, bearer)
const refusalOf = async (response: Response) => [response.status, (await answerOf(response)).error]
const tip = () => repo.git('rev-parse', 'refs/tasks/main')

/** Every action about one task: the task, and the input. */
const ABOUT_A_TASK: [action: string, ref: string, input: () => object][] = [
  ['note', '4', () => ({ ref: '4', text: 'x' })],
  ['answer', '2', () => ({ ref: '2', text: 'Blue' })],
  ['edit', '4', () => ({ ref: '4', priority: 'high' })],
  ['assign', '4', () => ({ ref: '4', agent: 'scripted' })],
  ['resolve', '3', () => ({ ref: '3', resolution: 'skip' })],
  ['review', '1', () => ({ ref: '1', commit: head, verdict: 'APPROVED', summary: '', comments: [] })],
  ['stop', '4', () => ({ ref: '4' })],
  ['start', '4', () => ({ command: 'work', refs: ['4'] })],
  ['start', '3', () => ({ command: 'retry', refs: ['3'] })],
  ['start', '1', () => ({ command: 'review', refs: ['1'] })],
  ['start', '1', () => ({ command: 'improve', refs: ['1'] })],
]

/** These carry something else: nothing that exists, a version for each task, a ledger commit, the end of a pause. */
const OTHERS = ['add', 'several', 'undo', 'redo', 'lift-pause']

test('every action of the page is one of these', () => {
  const files = readdirSync(join(import.meta.dir, '../../src/web/actions')).map((name) => name.replace(/\.ts$/, ''))
  const actions = files.filter((name) => !['action', 'perform-action'].includes(name))
  expect(actions.sort()).toEqual([...new Set([...ABOUT_A_TASK.map(([name]) => name), ...OTHERS])].sort())
})

test.each(ABOUT_A_TASK)('%s of #%s is refused after another change, and nothing is done', async (name, ref, input) => {
  const { version } = await read<{ version: string }>(`tasks/${ref}`)
  repo.gza('note', ref, 'meanwhile')
  const before = tip()
  const [status, error] = await refusalOf(await act(name, { ...input(), expected: { ref, version } }))
  expect([status, error]).toEqual([
    409,
    expect.objectContaining({ message: expect.stringContaining('has changed since you looked at it') }),
  ])
  expect(tip()).toBe(before)
  expect(await read<unknown[]>('started')).toEqual([])
})

test('who holds a task keeps it if an assignment came too late', async () => {
  repo.withEnv({ GZA_AGENT: 'someone' }).gza('claim', '4')
  const holders = async () => (await read<Machine>('agents')).holders.map(({ holder }) => holder)
  const { version } = await read<{ version: string }>('tasks/4')
  repo.gza('note', '4', 'meanwhile')
  const late = await act('assign', { ref: '4', agent: null, expected: { ref: '4', version } })
  expect(late.status).toBe(409)
  expect(await holders()).toEqual(['someone'])
  repo.withEnv({ GZA_AGENT: 'someone' }).gza('release', '4')
})

test('work that is started on chosen tasks carries what was seen of each of them', async () => {
  const { seen } = await read<{ seen: { ref: string; version: string }[] }>('plan?ref=4&ref=6')
  expect(seen.map(({ ref }) => ref)).toEqual(['4', '6'])
  repo.gza('note', '6', 'meanwhile')
  const [status, error] = await refusalOf(await act('start', { command: 'work', refs: ['4', '6'], seen }))
  expect([status, error]).toMatchObject([409, { code: 'TASK_CHANGED' }])
  expect(await read<unknown[]>('started')).toEqual([])
})

async function seenOf(number: number) {
  const { items } = await read<Landing>('landing')
  return [{ ref: String(number), version: items.find((item) => item.number === number)?.version ?? '' }]
}

const land = (seen: { ref: string; version: string }[]) =>
  act('start', { command: 'merge', refs: seen.map(({ ref }) => ref), seen })

const CHANGES: [what: string, change: () => unknown][] = [
  ['its task', () => repo.gza('note', '1', 'Mind the commas')],
  [
    'its verdict',
    () => act('review', { ref: '1', commit: head, verdict: 'CHANGES_REQUESTED', summary: 'Not yet', comments: [] }),
  ],
  ['a review of it', () => repo.gza('add', 'Look at it', '--type', 'review', '--based-on', '1')],
  [
    'its branch',
    () => {
      const branch = repo.task('1').branch as string
      const newer = repo.git('commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'By hand')
      repo.git('update-ref', `refs/heads/${branch}`, newer)
      head = newer
    },
  ],
]

test.each(CHANGES)(
  'a landing is refused if %s has changed, and the sentence has the newer state',
  async (_, change) => {
    const seen = await seenOf(1)
    await change()
    const [status, error] = await refusalOf(await land(seen))
    expect([status, error]).toEqual([
      409,
      {
        code: 'TASK_CHANGED',
        message: expect.stringMatching(
          new RegExp(`^The work of #1 has changed since you looked at it: now it .+, at ${head.slice(0, 10)}$`),
        ),
        hint: 'Nothing was done. Look at it again, then decide.',
      },
    ])
    expect(await read<unknown[]>('started')).toEqual([])
  },
)

test('nothing lands that nobody has looked at', async () => {
  for (const body of [{ refs: [] }, { refs: ['1'] }, { refs: ['1', '4'], seen: await seenOf(1) }]) {
    const [status, error] = await refusalOf(await act('start', { command: 'merge', ...body }))
    expect([status, error]).toMatchObject([409, { code: 'NOT_SEEN' }])
  }
})

test('what was seen lands, the second person is refused, and the task and the inbox name the same version', async () => {
  const seen = await seenOf(1)
  const { queued } = await read<{ queued: { version: string } }>('tasks/1')
  const { landing_version } = await read<{ landing_version: string }>('tasks/1/entry')
  expect([queued.version, landing_version]).toEqual([seen[0]?.version as string, seen[0]?.version as string])
  expect((await land(seen)).status).toBe(200)
  await until(() => repo.git('log', '--format=%s', 'main').includes('Write the parser'))
  const [status, error] = await refusalOf(await land(seen))
  expect([status, error]).toMatchObject([409, { code: 'TASK_CHANGED' }])
})

test('an entry without a task is dismissed as it was seen', async () => {
  const [asked] = repo.inbox().filter(({ code }) => code === 'PAGE_ASKED')
  const input = { ref: asked?.subject, resolution: 'skip' }
  const [status, error] = await refusalOf(await act('resolve', { ...input, detail: 'something else' }))
  expect([status, error]).toMatchObject([409, { code: 'CHANGED_SINCE' }])
  expect((await act('resolve', { ...input, detail: asked?.detail })).status).toBe(200)
  expect(repo.inbox().map(({ code }) => code)).not.toContain('PAGE_ASKED')
  const [again, gone] = await refusalOf(await act('resolve', { ...input, detail: asked?.detail }))
  expect([again, gone]).toMatchObject([409, { message: expect.stringContaining('it is no longer there') }])
})

test('a pause is lifted as it was seen', async () => {
  repo.gza('work', '6')
  const end = new Date(LIMIT * 1000).toISOString()
  expect((await read<Machine>('agents')).pauses).toMatchObject([{ agent: 'scripted', until: end }])
  const lift = (until: string[]) => act('lift-pause', { agent: 'scripted', until })
  const [status, error] = await refusalOf(await lift(['2020-01-01T00:00:00.000Z']))
  expect([status, error]).toMatchObject([409, { message: `scripted is now paused until ${end}` }])
  expect((await lift([end])).status).toBe(200)
  const [late, gone] = await refusalOf(await lift([end]))
  expect([late, gone]).toMatchObject([409, { message: 'scripted is not paused any more' }])
})
