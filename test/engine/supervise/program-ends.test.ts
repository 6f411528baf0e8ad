import { expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Supervised } from '../../../src/engine/supervise/supervise.ts'
import { superviseScript, type Watched } from './supervise-script.ts'

test('a program that exits is described by its code, and its lines by their stream', async () => {
  const { end, lines, survivors } = await superviseScript('echo one; echo two; exit 3')
  expect({ end, lines, survivors }).toEqual({
    end: { kind: 'exited', code: 3 },
    lines: ['out: one', 'out: two'],
    survivors: 0,
  })
  expect((await superviseScript('echo bad >&2')).lines).toEqual(['err: bad'])
})

test('a program that dies of a signal is described by it', async () => {
  expect((await superviseScript('kill -SEGV $$')).end).toEqual({ kind: 'signalled', signal: 'SIGSEGV' })
})

test('it gets exactly the environment that was given', async () => {
  const { lines } = await superviseScript('', { argv: ['env'], env: { A: '1', GONE: undefined, 'odd name': '=\n' } })
  expect(lines.sort()).toEqual(['out: ', 'out: A=1', 'out: odd name=='])
})

test('standard input is at its end, or holds the text that was given', async () => {
  expect((await superviseScript('wc -c')).lines).toEqual(['out: 0'])
  const long = 'é'.repeat(1_000_000)
  expect((await superviseScript('wc -c', { stdin: long })).lines).toEqual(['out: 2000000'])
  expect((await superviseScript('cat /dev/stdin', { stdin: 'text' })).lines).toEqual(['out: text'])
  expect((await superviseScript('exit 0', { stdin: long })).end).toEqual({ kind: 'exited', code: 0 })
})

test('a script may open its standard streams by name', async () => {
  const { lines } = await superviseScript('echo one > /dev/stdout; echo two > /dev/stderr')
  expect(lines.sort()).toEqual(['err: two', 'out: one'])
})

test('it leads a session and a group of its own', async () => {
  const { lines } = await superviseScript('echo $$; cut -d" " -f5,6 /proc/$$/stat')
  expect(lines[1]).toBe(`${lines[0]} ${lines[0]?.slice('out: '.length)}`)
})

test('over its time it is ended', async () => {
  const watched = await superviseScript('while :; do echo $TAG; sleep 0.05; done', { timeoutMs: 2500, stallMs: 2000 })
  expect(watched).toMatchObject({ end: { kind: 'timed-out' }, survivors: 0, alive: [] })
  expect(watched.ms).toBeGreaterThan(2500)
})

test('silent for too long it is ended, and a single byte ends the silence', async () => {
  const stalled = await superviseScript('echo one; sleep $TAG', { stallMs: 400 })
  expect(stalled).toMatchObject({ end: { kind: 'stalled' }, lines: ['out: one'], survivors: 0, alive: [] })
  const slow = await superviseScript('for i in 1 2 3 4 5; do printf x; sleep 0.5; done', { stallMs: 2000 })
  expect(slow).toMatchObject({ end: { kind: 'exited', code: 0 }, lines: ['out: xxxxx'] })
})

test('time that the callback for its lines takes does not count as silence', async () => {
  const onLine = (_: string, line: string) => (line === 'one' ? Bun.sleepSync(2100) : undefined)
  const { end } = await superviseScript('echo one; sleep 0.5; echo two', { stallMs: 2000, onLine })
  expect(end).toEqual({ kind: 'exited', code: 0 })
})

test('cancelled it is ended, and before its start it is not started', async () => {
  const watched = await superviseScript('echo ready; sleep $TAG', cancelledOnce('ready'))
  expect(watched).toMatchObject({ end: { kind: 'cancelled' }, survivors: 0, alive: [] })
  const never = await superviseScript('echo ran', { cancel: AbortSignal.abort() })
  expect(never).toMatchObject({ end: { kind: 'cancelled' }, lines: [] })
})

test('after its result it may end by itself', async () => {
  const watched = await superviseScript('echo result; sleep 0.1; echo last; exit 4', {
    onLine: () => 'stop',
    graceMs: 20_000,
  })
  expect(watched).toMatchObject({ end: { kind: 'exited', code: 4 }, lines: ['out: result', 'out: last'] })
})

test('hanging after its result it is ended when its grace is over, whatever the limits say', async () => {
  const onLine = (_: string, line: string) => (line === 'result' ? ('stop' as const) : undefined)
  const watched = await superviseScript('echo result; sleep $TAG', { onLine, graceMs: 600, stallMs: 200 })
  expect(watched).toMatchObject({ end: { kind: 'signalled', signal: 'SIGTERM' }, survivors: 0, alive: [] })
  expect(watched.ms).toBeGreaterThan(600)
})

test('over its budget it is ended at once', async () => {
  const onLine = () => ({ overBudget: '$2 of $1' })
  const watched = await superviseScript('echo $2; sleep $TAG', { onLine, graceMs: 5000 })
  expect(watched).toMatchObject({ end: { kind: 'over-budget', what: '$2 of $1' }, survivors: 0, alive: [] })
})

test('it has time to end in order, with programs that it starts for that', async () => {
  const script = `trap 'sleep 0.3; echo saved; exit 0' TERM; echo ready; while :; do sleep 0.05; done`
  const watched = await superviseScript(script, { ...cancelledOnce('ready'), graceMs: 20_000 })
  expect(watched.end).toEqual({ kind: 'cancelled' })
  expect(outputOf(watched)).toEqual(['ready', 'saved'])
  expect(watched.ms).toBeGreaterThan(300)
})

test('TERM comes once: clients take a second one for "at once"', async () => {
  const script = `n=0; trap 'n=$((n+1)); echo term $n' TERM; echo ready; for i in 1 2 3 4 5 6; do sleep 0.1; done`
  const watched = await superviseScript(script, { ...cancelledOnce('ready'), graceMs: 20_000 })
  expect(outputOf(watched)).toEqual(['ready', 'term 1'])
})

test('ignoring TERM, or stopped, it is killed', async () => {
  const ignoring = await superviseScript(`trap '' TERM; sleep $TAG; sleep $TAG`, { timeoutMs: 200 })
  expect(ignoring).toMatchObject({ end: { kind: 'timed-out' }, survivors: 0, alive: [] })
  const stopped = await superviseScript('sleep $TAG & kill -STOP $!; kill -STOP $$', { timeoutMs: 200 })
  expect(stopped).toMatchObject({ end: { kind: 'timed-out' }, survivors: 0, alive: [] })
})

test('an error of the function that takes the lines is thrown after everything is ended', async () => {
  const error = new Error('disk full')
  const onLine = () => {
    throw error
  }
  await expect(superviseScript('echo one; sleep 3000', { onLine })).rejects.toBe(error)
  await expect(superviseScript('echo one', { onLine })).rejects.toBe(error)
})

test('what keeps a program from starting is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gza-programs-'))
  const file = (name: string, text: string, mode: number): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }
  const plain = file('plain', 'echo hi\n', 0o644)
  const lost = file('lost', '#!/no/such/interpreter\n', 0o755)
  const unknown = file('unknown', 'no program\n', 0o755)
  const why = async (...argv: string[]) => (await superviseScript('', { argv, cwd: folder })).end
  const notStarted = (reason: string) => ({ kind: 'not-started' as const, why: reason })
  expect(await why('no-such-program')).toEqual(notStarted('no-such-program: no such command'))
  expect(await why('./plain')).toEqual(notStarted('./plain: it is not executable'))
  expect(await why(plain)).toEqual(notStarted(`${plain}: it is not executable`))
  expect(await why(unknown)).toEqual(notStarted(`${unknown}: it is not executable`))
  expect(await why(lost)).toEqual(notStarted(`${lost}: the interpreter in its first line does not exist`))
  expect(await why('true', 'x'.repeat(3_000_000))).toEqual(
    notStarted('true: its arguments and environment are longer than the system allows'),
  )
  expect(await why()).toEqual(notStarted('there is no command'))
  const lostFolder = await superviseScript('true', { cwd: join(folder, 'gone') })
  expect(lostFolder.end).toEqual(notStarted(`the folder ${join(folder, 'gone')} does not exist`))
  rmSync(folder, { recursive: true })
})

/** Cancels the run when it prints this line. */
function cancelledOnce(line: string): Pick<Supervised, 'cancel' | 'onLine'> {
  const cancel = new AbortController()
  return {
    cancel: cancel.signal,
    onLine: (_, printed) => {
      if (printed === line) cancel.abort()
    },
  }
}

/** Without what a shell prints on its standard error about children that were ended. */
function outputOf({ lines }: Watched): string[] {
  return lines.filter((line) => line.startsWith('out: ')).map((line) => line.slice('out: '.length))
}
