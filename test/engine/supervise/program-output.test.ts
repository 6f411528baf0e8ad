import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { runProcess } from '../../support/run-process.ts'
import { until } from '../../support/until.ts'
import { superviseScript } from './supervise-script.ts'

test('a character that arrives in two pieces is one character', async () => {
  const { lines } = await superviseScript(
    `printf 'caf\\303'; sleep 0.2; printf '\\251 \\360\\237'; sleep 0.2; printf '\\230\\200\\n'`,
  )
  expect(lines).toEqual(['out: café 😀'])
})

test('a last line without a newline counts', async () => {
  expect((await superviseScript('echo one; printf two')).lines).toEqual(['out: one', 'out: two'])
})

test('lines of 10 and 20 MB arrive whole', async () => {
  const script = `for n in 10000000 20000000; do head -c $n /dev/zero | tr '\\0' x; echo; done`
  const { lines, end } = await superviseScript(script)
  expect(end).toEqual({ kind: 'exited', code: 0 })
  expect(lines.map((line) => line.length - 'out: '.length)).toEqual([10_000_000, 20_000_000])
})

test('both streams at once lose nothing', async () => {
  const { lines } = await superviseScript('seq 200000 & seq 200000 >&2; wait')
  for (const stream of ['out', 'err']) {
    const numbers = lines.filter((line) => line.startsWith(stream)).map((line) => line.slice(5))
    expect(digest(numbers)).toBe(digest(Array.from({ length: 200_000 }, (_, at) => String(at + 1))))
  }
})

test('what was written right before the exit arrives, also if the callback is slow', async () => {
  const onLine = () => Bun.sleepSync(1)
  const { lines } = await superviseScript('seq 300; exit 5', { onLine })
  expect(lines.length).toBe(300)
})

test('a callback that is too slow holds the program back, not the clock', async () => {
  let taken = 0
  const onLine = () => {
    taken += 1
    Bun.sleepSync(2)
  }
  const watched = await superviseScript('yes "$(printf %4000s)"', { onLine, timeoutMs: 2000, graceMs: 100 })
  expect(watched).toMatchObject({ end: { kind: 'timed-out' }, survivors: 0 })
  expect(taken).toBeGreaterThan(50)
})

test('100 MB pass through in little memory', () => {
  const script = `yes "$(head -c 999 /dev/zero | tr '\\0' x)" | head -n 100000`
  const probe = new URL('supervise-in-process.ts', import.meta.url).pathname
  const { stdout } = runProcess([process.execPath, probe, 'run-memory', script], { env: { PATH: process.env.PATH } })
  const { peakMb, ...rest } = JSON.parse(stdout)
  expect(rest).toEqual({ end: { kind: 'exited', code: 0 }, survivors: 0, lines: 100_000, characters: 99_900_000 })
  expect(peakMb).toBeLessThan(250)
})

test('no descriptor stays open, whether a program ran, failed to start or was ended', async () => {
  const once = async () => {
    await superviseScript('cat; sleep 0.01', { stdin: 'text' })
    await superviseScript('', { argv: ['no-such-program'], stdin: 'text' })
    await superviseScript('sleep 3000 & sleep 3000', { timeoutMs: 50, graceMs: 50 })
  }
  await once()
  const before = descriptors()
  for (let count = 0; count < 5; count += 1) await once()
  await until(() => descriptors() === before)
})

function descriptors(): number {
  return readdirSync('/proc/self/fd').length
}

function digest(lines: string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
