import { expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { aStage } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

const MEGABYTES = 'head -c 10000000 /dev/zero | tr "\\\\0" x'

test('a line of 10 MB is read and logged whole, and the work counts', () => {
  const stage = aStage({ babbler: `${MEGABYTES}; echo; commit a.txt a` })
  stage.add('babbler')
  stage.add('honest')
  expect(stage.gza('work', '--all', '--workers', '2').code).toBe(0)
  const logs = join(stage.dir, '.gza/logs')
  const sizes = readdirSync(logs).map((name) => statSync(join(logs, name)).size)
  expect(Math.max(...sizes)).toBeGreaterThan(10_000_000)
  expect(stage.statuses()).toEqual({ babbler: 'completed', honest: 'completed' })
})

test('a client’s event of 10 MB, halves of characters and lines that are none do no harm', () => {
  const act = [
    'printf \'{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"\'',
    MEGABYTES,
    "printf '\"}]}}\\n'",
    "printf '\\xc3'; sleep 0.1; printf '\\xa9 \\xff\\n{\"type\":\\n[]\\nnull\\n{}\\n'",
    'commit a.txt a',
    'result done',
  ]
  const stage = withClaude({ babbler: act.join('\n') })
  stage.add('babbler')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.task('1').runs).toMatchObject([{ outcome: 'completed', cost_usd: 0.25, tokens_in: 10, tokens_out: 5 }])
})

test('one that talks without end is ended at its time limit', () => {
  const stage = aStage(
    { babbler: 'yes "$stage" 2>/dev/null' },
    { defaults: { max_attempts: 1, timeout_minutes: 0.02 } },
  )
  stage.add('babbler')
  stage.gza('work')
  expect(stage.task('1').runs).toMatchObject([{ reason: 'timed-out' }])
  expect(stage.survivors()).toEqual([])
})
