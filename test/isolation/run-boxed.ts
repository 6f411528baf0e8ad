import { LEVELS } from '../../src/core/isolation/levels.ts'
import { enclose } from '../../src/engine/isolation/box/enclose.ts'
import { findBoxMaker, thisMachine } from '../../src/engine/isolation/box/this-machine.ts'
import { supervise } from '../../src/engine/supervise/supervise.ts'
import type { BoxedCall, BoxedResult } from './boxed.ts'

/**
 * Runs one command in a box under the supervisor: `run-boxed GZA CALL` prints what came of it as JSON. It is
 * compiled, so that another user can run it. `run-boxed GZA` prints the levels that this user has.
 */
const [gza = '', text] = process.argv.slice(2)
const maker = findBoxMaker(gza)

if (text === undefined) {
  const machine = await thisMachine(process.env, maker)
  const faults = LEVELS.map((level) => [level, level === 'none' ? null : machine(level)])
  console.log(JSON.stringify(Object.fromEntries(faults)))
} else {
  const call = JSON.parse(text) as BoxedCall
  const result = await runCall(call)
  console.log(JSON.stringify(result))
  if (call.showExit) process.exitCode = result.end.kind === 'exited' ? result.end.code : 128
}

async function runCall(call: BoxedCall): Promise<BoxedResult> {
  const { level, plan, argv, cwd, env, stdin, cancelAt } = call
  const out: string[] = []
  const err: string[] = []
  const cancelled = new AbortController()
  const { end, survivors } = await supervise({
    ...{ argv, cwd, env, marker: call.marker, cancel: cancelled.signal },
    ...(stdin !== undefined && { stdin }),
    enclosed: enclose(level, plan, { argv, cwd, env }, maker),
    timeoutMs: 60_000,
    stallMs: 60_000,
    graceMs: call.graceMs ?? 2000,
    onLine: (stream, line) => {
      const lines = stream === 'out' ? out : err
      lines.push(line)
      if (line === cancelAt) cancelled.abort()
    },
  })
  return { end, survivors, out, err }
}
