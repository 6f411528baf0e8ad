import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TaskPage } from '../../src/reports/read-task-page.ts'
import type { PastPrompt, TimelineRun } from '../../src/runs/watch/read-timeline.ts'
import type { StartedCommand } from '../../src/web/host.ts'
import type { HistoryEntry } from '../../src/workspace/ledger/task-history.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { type ServedPage, servePage } from './served-page.ts'

let repo: AgentRepo
let page: ServedPage
let bearer: string
let id: string

beforeAll(async () => {
  repo = anAgentRepo(
    { 'Break*': 'echo "cannot do this" >&2; exit 3', else: 'commit work.txt "the secret is $LEAKED_TOKEN"' },
    {
      config: { verify: { command: 'echo "all 7 checks are green"' } },
      env: { LEAKED_TOKEN: 'hunter2-hunter2' },
    },
  )
  repo.add('Write the parser', '--accept', 'It parses')
  repo.add('Use the parser', '--based-on', '1')
  repo.add('Break it', '--max-attempts', '1')
  repo.gza('work', '1')
  repo.gza('work', '3')
  repo.gza('note', '1', 'The key is hunter2-hunter2')
  page = await servePage(repo)
  bearer = await page.signIn()
  id = await page.repository(bearer)
})

afterAll(() => page.stop())

async function read<T>(path: string): Promise<T> {
  const answer = (await (await page.get(`/api/r/${id}/${path}`, bearer)).json()) as { value: T }
  return answer.value
}

const act = (name: string, body: object) => page.post(`/api/r/${id}/actions/${name}`, body, bearer)

test('a task has who noted what, what depends on it, its commits with subjects, and what can be done', async () => {
  const shown = await read<TaskPage>('tasks/1')
  expect(shown.notes.map(({ by, text }) => [by, text])).toEqual([
    [expect.any(String), expect.stringContaining('The key is')],
  ])
  expect(shown.needed_by).toEqual([
    { number: 2, id: expect.any(String), title: 'Use the parser', status: 'pending', kind: 'based_on' },
  ])
  expect(shown.commits.map(({ subject }) => subject)).toEqual(['Write the parser: work.txt'])
  expect(shown.actions).toEqual(['land', 'review', 'reopen'])
  expect(shown.queued?.code).toBe('READY')
})

test('a run has its phases with times, the checks with their output, and unknown where nothing was reported', async () => {
  const [run] = await read<[TimelineRun]>('tasks/1/timeline')
  expect([run.outcome, run.cost_usd, run.tokens_in]).toEqual(['completed', null, null])
  const [work, verify] = run.phases as [TimelineRun['phases'][number], TimelineRun['phases'][number]]
  expect([work.phase, work.agent, work.cost_usd, work.failure]).toEqual(['task', 'scripted', null, null])
  expect(Date.parse(String(work.ended_at))).toBeGreaterThanOrEqual(Date.parse(String(work.started_at)))
  expect(verify.phase).toBe('verify')
  expect(verify.check?.ok).toBe(true)
  expect(verify.check?.steps.find(({ name }) => name === 'command')?.output).toBe('all 7 checks are green')
})

test('the prompt of a past phase is the one that the agent got', async () => {
  const [run] = await read<[TimelineRun]>('tasks/1/timeline')
  const { prompt, agent } = await read<PastPrompt>(`tasks/1/prompts/${run.phases[0]?.prompt}`)
  expect(agent).toBe('scripted')
  expect(prompt).toBe(String(repo.calls().find(({ title }) => title === 'Write the parser')?.prompt))
  for (const name of ['x', `${run.run}.99`, '..%2f..%2fx.0'])
    expect((await page.get(`/api/r/${id}/tasks/1/prompts/${name}`, bearer)).status).toBe(404)
})

test('a phase that failed says how', async () => {
  const [run] = await read<[TimelineRun]>('tasks/3/timeline')
  expect([run.outcome, run.reason]).toEqual(['failed', 'agent-error'])
  expect(run.phases.map(({ phase, failure }) => [phase, failure])).toEqual([
    ['task', expect.stringContaining('cannot do this')],
  ])
})

test('the audit trail names the ledger commits', async () => {
  const history = await read<HistoryEntry[]>('tasks/1/history')
  const subjects = history.map(({ subject }) => subject.replace(/task-[0-9a-f]+/, 'ID'))
  expect(subjects.slice(-3)).toEqual(['end ID complete', 'start ID attempt 1', 'add ID'])
  const tip = repo.git('rev-parse', 'refs/tasks/main').trim()
  expect(history[0]?.commit).toBe(tip)
})

test('secrets are taken out of what is shown, as out of logs', async () => {
  for (const path of ['tasks/1', 'tasks/1/prompt', 'tasks/1/timeline', 'tasks/1/history']) {
    const text = await (await page.get(`/api/r/${id}/${path}`, bearer)).text()
    expect(text).not.toContain('hunter2-hunter2')
  }
})

test('tasks are found by number and by words, with open ones first', async () => {
  const find = async (text: string) =>
    (await read<{ number: number }[]>(`find?text=${encodeURIComponent(text)}`)).map(({ number }) => number)
  expect(await find('#2')).toEqual([2])
  expect(await find('parser')).toEqual([2, 1])
  expect(await find('nothing like it')).toEqual([])
})

test('a dry run says what would run and why the others would not', async () => {
  const plan = await read<{ batches: { number: number }[][]; not_run: { number: number; code: string }[] }>('plan')
  expect(plan.batches.map((batch) => batch.map(({ number }) => number))).toEqual([[2]])
  expect(plan.not_run.map(({ number, code }) => [number, code])).toEqual([[3, 'FAILED']])
})

test('undo names what it takes back, and refuses if another command was given since', async () => {
  type Shown = { undo: { reverts: { command: string; commit: string } | null } }
  await act('edit', { ref: '2', priority: 'high' })
  const { undo } = await read<Shown>('undo')
  expect(undo.reverts?.command.replace(/task-[0-9a-f]+/, 'ID')).toBe('edit ID priority')
  repo.gza('note', '2', 'meanwhile')
  const late = await act('undo', { shown: undo.reverts?.commit })
  expect(late.status).toBe(409)
  expect(((await late.json()) as { error: { code: string } }).error.code).toBe('CHANGED_SINCE')
  expect(repo.task('2').priority).toBe('high')
  for (let at = 0; at < 2; at++) {
    const now = await read<Shown>('undo')
    expect((await act('undo', { shown: now.undo.reverts?.commit })).status).toBe(200)
  }
  expect(repo.task('2').priority).toBe('medium')
  expect((await act('redo', {})).status).toBe(200)
  expect(repo.task('2').priority).toBe('high')
})

test('a command that is refused is known as ended, with its code and what it printed', async () => {
  const started = await act('start', { command: 'review', refs: ['2'] })
  expect(started.status).toBe(200)
  let [newest] = await read<[StartedCommand]>('started')
  while (newest.isRunning) [newest] = await read<[StartedCommand]>('started')
  expect([newest.args, newest.code]).toEqual([['review', '--', '2'], 1])
  expect(newest.lines.join('\n')).toContain('only finished work is reviewed')
})

test('work is not started for a task that has changed since it was shown', async () => {
  const { version } = await read<TaskPage>('tasks/2')
  repo.gza('note', '2', 'changed')
  const late = await act('start', { command: 'work', refs: ['2'], expected: { ref: '2', version } })
  expect(late.status).toBe(409)
  expect(((await late.json()) as { error: { code: string } }).error.code).toBe('TASK_CHANGED')
  expect(repo.task('2').attempts).toBe(0)
})
