import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type Supervised, type Supervision, supervise } from '../../../src/engine/supervise/supervise.ts'

export interface Watched extends Supervision {
  lines: string[]
  /** Processes of the script that were alive when the supervisor had returned. */
  alive: string[]
  marker: string
}

/** Supervises a shell script. Every process it starts must carry `$TAG` in its command line, to be counted after. */
export async function superviseScript(script: string, options: Partial<Supervised> = {}): Promise<Watched> {
  const tag = aTag()
  const marker = options.marker ?? `run-${tag}`
  const lines: string[] = []
  const result = await supervise({
    argv: ['sh', '-c', script.replaceAll('$TAG', tag)],
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, GZA_RUN: marker },
    marker,
    timeoutMs: 20_000,
    stallMs: 20_000,
    graceMs: 300,
    ...options,
    onLine: (stream, line) => {
      lines.push(`${stream}: ${line}`)
      return options.onLine?.(stream, line)
    },
  })
  return { ...result, lines, alive: living(tag), marker }
}

/** Works as seconds for sleep, as part of a script, and appears nowhere else. */
export function aTag(): string {
  // Random: the test files of one process have their own copy of this module, and processes of the others may be left.
  return `3000.${process.pid}${String(Math.random()).slice(2, 12)}`
}

/** Command lines with the tag in them, read from the system itself. */
export function living(tag: string): string[] {
  return pids()
    .filter((pid) => pid !== process.pid && !isZombie(pid))
    .map((pid) => commandLine(pid))
    .filter((line) => line.includes(tag))
}

/** Dead children that were not reaped. */
export function zombies(): number[] {
  return pids().filter((pid) => statOf(pid)[1] === String(process.pid) && isZombie(pid))
}

export function pidsOf(tag: string): number[] {
  return pids().filter((pid) => pid !== process.pid && !isZombie(pid) && commandLine(pid).includes(tag))
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function isZombie(pid: number): boolean {
  return statOf(pid)[0] === 'Z'
}

function statOf(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
