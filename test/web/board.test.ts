import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Board } from '../../src/reports/board/read-board.ts'
import type { SeveralResult } from '../../src/web/actions/several.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { type ServedPage, servePage } from './served-page.ts'

let repo: Repo
let page: ServedPage
let bearer: string
let id: string

beforeAll(async () => {
  repo = aRepo()
  repo.commit('first')
  repo.write('gza.yaml', 'views:\n  urgent: priority:critical,high\n')
  repo.gza('add', 'Write the parser', '--priority', 'high', '--milestone', 'M10', '--files-to-modify', 'src/a.ts')
  repo.gza('add', 'Write the lexer', '--priority', 'low', '--milestone', 'M2', '--group', 'words')
  repo.gza('add', 'Test the parser', '--after', '1', '--assigned-agent', 'codex')
  repo.gza('add', 'Old parser')
  repo.gza('done', '4')
  page = await servePage(repo)
  bearer = await page.signIn()
  id = await page.repository(bearer)
})

afterAll(() => page.stop())

async function board(query: Record<string, string> = {}): Promise<Board> {
  const answer = await page.get(`/api/r/${id}/board?${new URLSearchParams(query)}`, bearer)
  return ((await answer.json()) as { value: Board }).value
}

const numbersIn = ({ columns }: Board) =>
  Object.values(columns)
    .flatMap(({ cards }) => cards.map(({ number }) => number))
    .sort()

async function several(change: object, ...tasks: { ref: string; version: string }[]): Promise<SeveralResult> {
  const answer = await page.post(`/api/r/${id}/actions/several`, { tasks, change }, bearer)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { value: SeveralResult }).value
}

async function seen(number: number): Promise<{ ref: string; version: string }> {
  const cards = Object.values((await board()).columns).flatMap((column) => column.cards)
  const { id: ref = '', version = '' } = cards.find((card) => card.number === number) ?? {}
  return { ref, version }
}

test.each([
  ['', [1, 2, 3, 4]],
  ['parser', [1, 3, 4]],
  ['parser --status open', [1, 3]],
  ['parser --agent codex', [3]],
  ['--priority high --file src/', [1]],
  ['--milestone M2', [2]],
  ['parser --not --milestone M10', [3, 4]],
  ['--not --agent codex --since 2d', [1, 2, 4]],
  ['--view urgent', [1]],
  ['title:pars* -old', [1, 3]],
  ['"the lexer"', [2]],
  ['walrus', []],
])('the filter %p lets these tasks through', async (filter, numbers) => {
  expect(numbersIn(await board({ filter }))).toEqual(numbers)
})

test('the flags of the filter are those of the command line, also what is not wanted', () => {
  const listed = (...args: string[]) => repo.gza('list', '--all', ...args).stdout.match(/^#\d+/gm)
  expect(listed('--text', 'parser', '--not', '--milestone', 'M10')).toEqual(['#3', '#4'])
  expect(listed('--not', '--priority=high', '--not', 'group:words')).toEqual(['#3', '#4'])
})

test.each([
  ['--priority hig', ['--priority', 'hig']],
  ['--since yesterday', ['--since', 'yesterday']],
  ['--agent', ['--agent']],
  ['--agent a --agent b', ['--agent', 'a', '--agent', 'b']],
  ['--priorty high', ['--priorty', 'high']],
  ['--view nothing', ['--view', 'nothing']],
  ['--not --agent', ['--not', '--agent']],
])('a mistake in the filter %p is what the command line prints', async (filter, args) => {
  const answer = await page.get(`/api/r/${id}/board?${new URLSearchParams({ filter })}`, bearer)
  const { error } = (await answer.json()) as { error: { message: string; hint: string } }
  expect(`Error: ${error.message}\n  ${error.hint}\n`).toBe(repo.gza('list', ...args).stderr)
})

test('a column counts what the filter lets through, and what there is', async () => {
  const { ready, blocked, landed } = (await board({ filter: 'parser' })).columns
  expect([ready, blocked, landed].map(({ count, total }) => [count, total])).toEqual([
    [1, 2],
    [1, 1],
    [1, 1],
  ])
})

test('what is ready is in the order of the scheduler, below its priorities', async () => {
  const { sections, cards } = (await board()).columns.ready
  expect(cards.map(({ number, section }) => [number, section])).toEqual([
    [1, 'high'],
    [2, 'low'],
  ])
  expect(sections.map(({ name, count }) => [name, count])).toEqual([
    ['critical', 0],
    ['high', 1],
    ['medium', 0],
    ['low', 1],
  ])
})

test('groups are in their natural order, and what has none comes last', async () => {
  const { ready, blocked } = (await board({ by: 'milestone' })).columns
  expect(ready.sections).toEqual([
    { name: 'M2', count: 1 },
    { name: 'M10', count: 1 },
  ])
  expect(blocked.sections).toEqual([{ name: null, count: 1 }])
  const agents = (await board({ by: 'agent' })).columns.blocked.sections
  expect(agents).toEqual([{ name: 'codex', count: 1 }])
})

test('no more cards are sent than were asked for', async () => {
  const { cards, count } = (await board({ ready: '1' })).columns.ready
  expect([cards.map(({ number }) => number), count]).toEqual([[1], 2])
})

test('of several tasks those are changed that nobody has changed meanwhile', async () => {
  const [first, second] = [await seen(1), await seen(2)]
  repo.gza('note', '2', 'from a terminal')
  const result = await several({ kind: 'priority', priority: 'critical' }, first, second)
  expect(result).toEqual({
    done: [first.ref],
    versions: { [first.ref]: (await seen(1)).version },
    refused: [
      {
        ref: second.ref,
        code: 'TASK_CHANGED',
        message: `${second.ref} has changed since you looked at it`,
        hint: 'Nothing was done. Look at it again, then decide.',
      },
    ],
  })
  const priorities = JSON.parse(repo.gza('list', '--json').stdout).map((task: { priority: string }) => task.priority)
  expect(priorities).toEqual(['critical', 'low', 'medium'])
})

test('several tasks get a group or an agent, and what is finished or unknown is refused by name', async () => {
  const [open, done] = [await seen(3), await seen(4)]
  expect(await several({ kind: 'group', group: 'tests' }, open)).toMatchObject({ done: [open.ref], refused: [] })
  expect(JSON.parse(repo.gza('show', '3', '--json').stdout).group).toBe('tests')
  const nobody = await several({ kind: 'assign', agent: null }, await seen(3), done)
  expect(nobody.done).toEqual([open.ref])
  expect(nobody.refused).toMatchObject([{ ref: done.ref, code: 'TASK_CLOSED' }])
  const unknown = await several({ kind: 'assign', agent: 'walrus' }, await seen(3))
  expect(unknown.refused).toMatchObject([{ ref: open.ref, code: 'UNKNOWN_AGENT' }])
})

test('what was put on hold together is resumed together', async () => {
  repo.gza('add', 'Hold one', '--group', 'held')
  repo.gza('add', 'Hold two', '--group', 'held')
  repo.gza('resolve', '5', '--abort')
  const tasks = [await seen(5), await seen(6)]
  const result = await several({ kind: 'resolve', resolution: 'resume' }, ...tasks)
  expect(result).toMatchObject({ done: tasks.map(({ ref }) => ref), refused: [] })
  expect((await board({ filter: '--group held' })).columns.ready.count).toBe(2)
})

test('work is not started on a task that has changed meanwhile', async () => {
  const task = await seen(2)
  repo.gza('note', '2', 'once more')
  const result = await several({ kind: 'work' }, task)
  expect(result.done).toEqual([])
  expect(result.refused).toMatchObject([{ ref: task.ref, code: 'TASK_CHANGED' }])
})
