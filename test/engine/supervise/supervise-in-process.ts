import { supervise } from '../../../src/engine/supervise/supervise.ts'

/**
 * A supervisor in a process of its own: `probe MARKER SCRIPT` supervises the shell script and prints what came of it as
 * JSON. Also compiled, to see that native calls work there.
 */
const [marker = '', script = ''] = process.argv.slice(2)
let lines = 0
let characters = 0
let peak = 0

const { end, survivors } = await supervise({
  argv: ['sh', '-c', script],
  cwd: '/',
  env: { PATH: process.env.PATH, GZA_RUN: marker },
  marker,
  timeoutMs: 60_000,
  stallMs: 60_000,
  graceMs: 300,
  onLine: (_, line) => {
    lines += 1
    characters += line.length
    if (lines % 1000 === 1) peak = Math.max(peak, process.memoryUsage.rss())
  },
})
console.log(JSON.stringify({ end, survivors, lines, characters, peakMb: Math.round(peak / 1e6) }))
