import { expect, test } from 'bun:test'
import { withClaude } from '../../support/scripted-claude.ts'
import { spawnGza } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'

const OVERLOADED =
  '{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"API Error: 529 Overloaded"}'

/** Refused until so many calls were made. */
const refusedUntil = (calls: number): string =>
  `n=$(ls "$beside/calls" | wc -l); if [ $n -le ${calls} ]; then echo '${OVERLOADED}'; exit 1; fi; commit "$title.txt" a; result done`

const TITLES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']

test('an overloaded service is tried again by one task at a time, and costs the others nothing', () => {
  const repo = withClaude({ else: refusedUntil(3) }, { config: { retry: { backoff_seconds: 0.1 } } })
  for (const title of TITLES) repo.add(title)
  expect(repo.gza('work', '--all', '--workers', '8').code).toBe(0)
  const runs = TITLES.map((_, at) => repo.task(String(at + 1)).runs)
  expect(runs.map((each) => each.map(({ reason }) => reason ?? 'done'))).toEqual([
    ['overloaded', 'overloaded', 'overloaded', 'done'],
    ...Array(7).fill(['done']),
  ])
  expect(repo.calls().length).toBe(3 + TITLES.length)
})

test('tasks that are refused together count once, and every repository of the person leaves the agent alone', async () => {
  const isFull = '[ "$(ls "$beside" | grep -c "^together")" -ge 3 ]'
  const acts = {
    // Its answer shows that the account works, so the others may start at the same time.
    opener: 'say "I begin"; forever',
    'together*': `touch "$beside/$title"; until ${isFull}; do sleep 0.05; done; echo '${OVERLOADED}'; exit 1`,
  }
  const settings = { config: { retry: { backoff_seconds: 3600 } } }
  const repo = withClaude(acts, settings)
  for (const title of ['opener', 'together-1', 'together-2', 'together-3', 'together-4']) repo.add(title)
  const work = spawnGza(repo, 'work', '--all', '--workers', '4')
  const reasons = () => ['2', '3', '4'].flatMap((ref) => repo.task(ref).runs.map(({ reason }) => reason))
  await until(() => reasons().filter((reason) => reason === 'overloaded').length === 3, 'three runs are refused')
  const why = repo.gza('why', '5').stdout
  expect(why).toContain('BACKOFF: claude is overloaded; it is called again at ')
  // One pause, and not three that double.
  const moment = Date.parse(/ again at (\S+)/.exec(why)?.[1] ?? '')
  expect(moment - Date.now()).toBeLessThanOrEqual(3600_000)
  expect(repo.task('5').runs).toEqual([])
  const { XDG_STATE_HOME, HOME } = repo.env
  const other = withClaude(acts, { ...settings, env: { XDG_STATE_HOME, HOME } })
  expect(other.why(other.add('elsewhere'))).toBe('BACKOFF')
  work.process.kill('SIGTERM')
  await work.ended
})
