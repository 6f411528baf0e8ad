import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import { work } from './committed-work.ts'

const BUN = process.execPath

test('a command that hangs ends at its time limit, and nothing of it is left', async () => {
  const { check, marker } = await work()
  const report = await check({ command: 'echo started; sleep 300 & sleep 300', timeoutMs: 500 })
  expect(report.failure).toEqual({
    what: 'timed-out',
    detail: 'echo started; sleep 300 & sleep 300 had not ended after 0.5 s\nstarted',
  })
  expect(withMarker(marker)).toEqual([])
})

test('a daemon that tests leave behind is ended with them, and costs them nothing', async () => {
  const { check, marker, workplace } = await work()
  const pids = join(workplace.path, '../pids')
  const daemon = `setsid sh -c 'echo $$ >> "${pids}"; exec sleep 300' >/dev/null 2>&1 &`
  const report = await check({ command: `${daemon} (${daemon}) ; until test "$(wc -l < "${pids}")" = 2; do :; done` })
  expect(report).toMatchObject({ ok: true, failure: null })
  const started = readFileSync(pids, 'utf8').trim().split('\n')
  expect(started.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
  expect(withMarker(marker)).toEqual([])
})

test('50 MB of output are read to the summary at their end and not kept', async () => {
  const { check } = await work({ 'a.test.ts': 'x' })
  const lines = 'yes "a line of output that says nothing at all, fifty characters" | head -c 50000000'
  const testCommand = `${lines}; printf '\\n 7 pass\\n 1 fail\\nRan 8 tests across 1 file.\\n'; exit 1; :`
  const report = await check({ testFiles: ['a.test.ts'], testCommand })
  expect(report.counts).toEqual({ passed: 7, failed: 1, skipped: 0 })
  expect(report.failure?.what).toBe('tests-failed')
  expect(report.failure?.detail.length).toBeLessThan(7000)
  expect(report.failure?.detail).toEndWith('Ran 8 tests across 1 file.')
})

test('one line of 20 MB is cut', async () => {
  const { check } = await work()
  const report = await check({ command: "head -c 20000000 /dev/zero | tr '\\0' x; exit 1" })
  expect(report.failure?.detail.length).toBeLessThan(1000)
  expect(report.failure?.detail).toContain('xxxx…')
})

test('bytes that are not text, and commands for the terminal, come out harmless', async () => {
  const { check } = await work()
  const command = "printf '\\377\\033[2J\\033]0;x\\007\\bwiped\\n'; exit 1"
  const report = await check({ command })
  expect(report.failure?.detail).toBe(`${command} exited with 1: \ufffd\\x08wiped\n\ufffd\\x08wiped`)
})

test('a person can stop it', async () => {
  const { check, marker } = await work()
  const stop = new AbortController()
  const checking = check({ command: 'sleep 300', cancel: stop.signal })
  await until(() => withMarker(marker).length > 0)
  stop.abort()
  const report = await checking
  expect(report.failure).toEqual({ what: 'cancelled', detail: 'sleep 300 was stopped' })
  expect(withMarker(marker)).toEqual([])
})

test('real runs of bun and of node are counted', async () => {
  const bunTest = `import { expect, test } from 'bun:test'\ntest('a', () => {})\ntest.skip('b', async () => {})\ntest('c', () => expect(1).toBe(2))\n`
  const nodeTest = `import test from 'node:test'\ntest('a', () => {})\ntest.skip('b', () => {})\ntest('c', async () => { throw new Error('red') })\n`
  const { check } = await work({ 'one.test.ts': bunTest, 'two.mjs': nodeTest })
  const counts = { passed: 1, failed: 1, skipped: 1 }
  expect(await check({ testFiles: ['one.test.ts'], testCommand: `'${BUN}' test {files}` })).toMatchObject({
    counts,
    failure: { what: 'tests-failed' },
  })
  for (const reporter of ['tap', 'spec']) {
    const testCommand = `node --test --test-reporter=${reporter}`
    expect(await check({ testFiles: ['two.mjs'], testCommand })).toMatchObject({
      counts,
      failure: { what: 'tests-failed' },
    })
  }
})

/** Processes that carry the run's marker. */
function withMarker(marker: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(join('/proc', pid, 'environ'), 'latin1').includes(`GZA_RUN=${marker}`)
    } catch {
      return false
    }
  })
}
