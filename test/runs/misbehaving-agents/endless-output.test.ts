import { expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { anAgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

const MEGABYTES = 'head -c 10000000 /dev/zero | tr "\\\\0" x'

test('a line of 10 MB is read and logged whole, and the work counts', () => {
  const repo = anAgentRepo({ babbler: `${MEGABYTES}; echo; commit a.txt a` })
  repo.add('babbler')
  repo.add('honest')
  expect(repo.gza('work', '--all', '--workers', '2').code).toBe(0)
  const logs = join(repo.dir, '.gza/logs')
  const sizes = readdirSync(logs).map((name) => statSync(join(logs, name)).size)
  expect(Math.max(...sizes)).toBeGreaterThan(10_000_000)
  expect(repo.statuses()).toEqual({ babbler: 'completed', honest: 'completed' })
})

test('a client’s event of 10 MB, halves of characters and lines that are not events do no harm', () => {
  const act = [
    'printf \'{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"\'',
    MEGABYTES,
    "printf '\"}]}}\\n'",
    "printf '\\xc3'; sleep 0.1; printf '\\xa9 \\xff\\n{\"type\":\\n[]\\nnull\\n{}\\n'",
    'commit a.txt a',
    'result done',
  ]
  const repo = withClaude({ babbler: act.join('\n') })
  repo.add('babbler')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', cost_usd: 0.25, tokens_in: 10, tokens_out: 5 }])
})

test('one that talks without end is ended at its time limit', () => {
  const repo = anAgentRepo(
    { babbler: 'yes "$beside" 2>/dev/null' },
    { defaults: { max_attempts: 1, timeout_minutes: 0.02 } },
  )
  repo.add('babbler')
  repo.gza('work')
  expect(repo.task('1').runs).toMatchObject([{ reason: 'timed-out' }])
  expect(repo.survivors()).toEqual([])
})
