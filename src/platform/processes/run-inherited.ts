import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import type { Env } from '../git/git.ts'
import { endingSignals } from './ending-signals.ts'
import { stampOf } from './run-stamp.ts'
import { loadLibc } from './subreaper-libc.ts'

/** How a command ended; `missing` and `forbidden` mean that it never started. */
export type CommandEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'signalled'; signal: NodeJS.Signals }
  | { kind: 'missing' }
  | { kind: 'forbidden' }

export interface InheritedOptions {
  cwd: string
  env: Env
  /** After a forwarded SIGTERM or SIGHUP, the command is killed if it has not ended by then. */
  killAfterMs?: number
  /** Every process that descends from it can be found by this, even if it cleared its environment. */
  marker?: string
}

/** Runs a command on this process's own stdin, stdout and stderr; signals to this process are forwarded. */
export async function runInherited(
  [program = '', ...args]: readonly string[],
  { cwd, env, killAfterMs, marker }: InheritedOptions,
): Promise<CommandEnd> {
  const libc = marker === undefined ? null : await loadLibc()
  libc?.hide()
  const start = () => spawn(program, args, { cwd, env, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    let child: ChildProcess | undefined
    // Before the start: a signal between start and listening would end this process and leave the command alone.
    const stopForwarding = forwardSignals((signal) => {
      child?.kill(signal)
      if (killAfterMs !== undefined && (signal === 'SIGTERM' || signal === 'SIGHUP'))
        setTimeout(() => child?.kill('SIGKILL'), killAfterMs).unref()
    })
    child = libc === null || marker === undefined ? start() : libc.withRealtimeLimit(stampOf(marker), start)
    child.on('error', (error: NodeJS.ErrnoException) => {
      stopForwarding()
      const end = START_ERRORS.get(error.code)
      if (end) resolve(end)
      else reject(error)
    })
    child.on('exit', (code, signal) => {
      stopForwarding()
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal })
    })
  })
}

/**
 * The exit code that a shell would give: 127 for a missing command, 126 for one that may not be run, 128 + n for a
 * signal.
 */
export function exitCodeOfEnd(end: CommandEnd): number {
  switch (end.kind) {
    case 'exited':
      return end.code
    case 'signalled':
      return 128 + constants.signals[end.signal]
    case 'missing':
      return 127
    case 'forbidden':
      return 126
  }
}

const START_ERRORS = new Map<string | undefined, CommandEnd>([
  ['ENOENT', { kind: 'missing' }],
  ['EACCES', { kind: 'forbidden' }],
  ['ENOEXEC', { kind: 'forbidden' }],
])

const FORWARDED: NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']
// A terminal sends these to the whole group itself: forwarding would send them twice, and agents treat the second
// Ctrl-C as "quit at once".
const FROM_THE_TERMINAL: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

function forwardSignals(forward: (signal: NodeJS.Signals) => void): () => void {
  const atTerminal = [0, 1, 2].some((fd) => isatty(fd))
  const asked = FORWARDED.filter((signal) => signal !== 'SIGHUP' || endingSignals().includes(signal))
  const forwarded = atTerminal ? asked : [...asked, ...FROM_THE_TERMINAL]
  const stay = (): void => {}
  for (const signal of forwarded) process.on(signal, forward)
  for (const signal of FROM_THE_TERMINAL) process.on(signal, stay)
  return () => {
    for (const signal of forwarded) process.off(signal, forward)
    for (const signal of FROM_THE_TERMINAL) process.off(signal, stay)
  }
}
