import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'

export interface Started {
  child: ChildProcess
  ended: Promise<{ code: number; output: string }>
}

interface Options {
  cwd: string
  env?: NodeJS.ProcessEnv
  onOutput?: (chunk: string) => void
  /** How long it may take to end after a signal. */
  graceMs?: number
}

/**
 * Starts a program as the leader of a process group. A signal to end is passed on to every such group. Once
 * all of them are gone, this process exits with the code that a shell would give it.
 */
export function startGroup([program = '', ...args]: string[], options: Options): Started {
  const { cwd, env, onOutput, graceMs = 5000 } = options
  listenOnce()
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  running.set(child, graceMs)
  let output = ''
  const collect = (chunk: string): void => {
    output += chunk
    onOutput?.(chunk)
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const ended = new Promise<{ code: number; output: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      running.delete(child)
      // A caller that waits for it would continue and start the next one.
      if (!isEnding) resolve({ code: code ?? 1, output })
    })
  })
  return { child, ended }
}

export function killGroup({ pid }: ChildProcess): void {
  signalGroup(pid, 'SIGKILL')
}

const running = new Map<ChildProcess, number>()
let isEnding = false
let isListening = false

/** A killed process disappears at once, unless nobody reads its status, as in a container without an init. */
const DYING_MS = 200
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function listenOnce(): void {
  if (isListening) return
  isListening = true
  for (const signal of SIGNALS) process.on(signal, () => void endAll(signal))
}

async function endAll(signal: (typeof SIGNALS)[number]): Promise<void> {
  const groups = [...running.keys()]
  // A second signal kills them.
  for (const { pid } of groups) signalGroup(pid, isEnding ? 'SIGKILL' : signal)
  if (isEnding) return
  isEnding = true
  await untilNone(groups, isAlive, Math.max(0, ...running.values()))
  // Also if the leader is gone: another process of its group may still run.
  groups.forEach(killGroup)
  await untilNone(groups, ({ pid }) => signalGroup(pid, 0), DYING_MS)
  process.exit(128 + constants.signals[signal])
}

async function untilNone<T>(groups: readonly T[], isLeft: (group: T) => boolean, ms: number): Promise<void> {
  const until = Date.now() + ms
  while (groups.some(isLeft) && Date.now() < until) await Bun.sleep(5)
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

/** Returns whether any process received it. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal)
  } catch {
    return false
  }
}
