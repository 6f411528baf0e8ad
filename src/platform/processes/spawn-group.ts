import { type ChildProcess, spawn } from 'node:child_process'
import { type Stats, statSync } from 'node:fs'
import { constants } from 'node:os'
import { resolve } from 'node:path'
import { findProgram } from '../files/files.ts'
import type { Env } from '../git/git.ts'
import { type GroupStdio, type Output, openStdio } from './group-stdio.ts'
import type { ProcessId } from './process-entry.ts'
import { findProcess } from './process-table.ts'
import { stampOf } from './run-stamp.ts'
import { leaveToRuntime } from './subreaper.ts'
import { type Libc, loadLibc } from './subreaper-libc.ts'

export interface GroupSpec {
  argv: readonly string[]
  cwd: string
  /** The complete environment. */
  env: Env
  /** The text on standard input; without it, standard input is empty. */
  stdin?: string
  /** Every process that descends from it can be found by this, even if it cleared its environment. */
  marker: string
  /** The program for which this one only makes a box. `isWaitedFor`: a process that holds the box reports its exit. */
  encloses?: { argv: readonly string[]; cwd: string; env: Env; isWaitedFor: boolean }
}

export type GroupExit = { kind: 'exited'; code: number } | { kind: 'signalled'; signal: NodeJS.Signals }

export interface Group {
  kind: 'started'
  root: ProcessId
  exit: Promise<GroupExit>
  out: Output
  err: Output
}

/** Starts a program as the leader of its own session and process group. */
export async function spawnGroup(spec: GroupSpec): Promise<Group | { kind: 'not-started'; why: string }> {
  const missing = spec.encloses && whyMissing(spec.encloses)
  if (missing) return { kind: 'not-started', why: missing }
  const libc = await loadLibc()
  const stdio = openStdio(libc, spec.stdin)
  try {
    const group = await describeGroup(spawnStamped(libc, spec, stdio), stdio)
    return spec.encloses?.isWaitedFor ? { ...group, exit: group.exit.then(exitInside) } : group
  } catch (error) {
    stdio.discard()
    return { kind: 'not-started', why: whyNotSpawned(error as NodeJS.ErrnoException, spec) }
  } finally {
    stdio.closeChildEnds()
  }
}

function spawnStamped(libc: Libc | null, { argv, cwd, env, marker }: GroupSpec, stdio: GroupStdio): ChildProcess {
  const [program = '', ...args] = argv
  const start = () => spawn(program, args, { cwd, env, stdio: stdio.childEnds, detached: true })
  return libc ? libc.withRealtimeLimit(stampOf(marker), start) : start()
}

async function describeGroup(child: ChildProcess, stdio: GroupStdio): Promise<Group> {
  const { pid } = child
  if (pid === undefined) throw await new Promise((resolve) => child.once('error', resolve))
  const { forget } = leaveToRuntime(pid)
  const exit = new Promise<GroupExit>((resolve) =>
    child.once('exit', (code, signal) => {
      forget()
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal })
    }),
  )
  // Dead or alive, it is in the table: the runtime cannot take its status before this turn of the event loop ends.
  const startedAt = findProcess(pid)?.startedAt ?? 0
  return { kind: 'started', root: { pid, startedAt }, exit, ...stdio.outputsOf(child) }
}

/** It reports a signal that ended the program as a shell does: 128 and its number. */
function exitInside(exit: GroupExit): GroupExit {
  const number = exit.kind === 'exited' ? exit.code - SIGNALLED : 0
  const [signal] = Object.entries(constants.signals).find(([, each]) => each === number) ?? []
  return signal === undefined ? exit : { kind: 'signalled', signal: signal as NodeJS.Signals }
}

const SIGNALLED = 128

/** Explains why a program could not start. The system gives the same code for several causes. */
function whyNotSpawned(error: NodeJS.ErrnoException, spec: GroupSpec): string {
  const [program = ''] = spec.argv
  const nowhere = whyNowhere(spec)
  if (nowhere !== null) return nowhere
  switch (error.code) {
    case 'ENOENT':
      return whyMissing(spec) ?? `${program}: the interpreter in its first line does not exist`
    case 'EACCES':
    case 'ENOEXEC':
      return `${program}: it is not executable`
    case 'E2BIG':
      return `${program}: its arguments and environment are longer than the system allows`
    default:
      return `${program}: ${error.message}`
  }
}

type Started = Pick<GroupSpec, 'argv' | 'cwd' | 'env'>

function whyNowhere({ argv: [program = ''], cwd }: Started): string | null {
  if (program === '') return 'there is no command'
  return isFolder(cwd) ? null : `the folder ${cwd} does not exist`
}

function whyMissing(started: Started): string | null {
  const { argv, cwd, env } = started
  const [program = ''] = argv
  const isFound = isThere(resolve(cwd, program), program, env.PATH)
  return whyNowhere(started) ?? (isFound ? null : `${program}: no such command`)
}

function isThere(path: string, program: string, searched = ''): boolean {
  return program.includes('/') ? statOrNull(path) !== null : findProgram(program, searched) !== null
}

function isFolder(path: string): boolean {
  return statOrNull(path)?.isDirectory() ?? false
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
