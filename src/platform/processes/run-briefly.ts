import type { Env } from '../git/git.ts'
import { signalGroup } from './process-table.ts'
import { leaveToRuntime } from './subreaper.ts'

export interface BriefCall {
  argv: readonly string[]
  cwd: string
  env: Env
  /** The text on standard input; null: it is empty. */
  input: string | null
  limitMs: number
}

/** Runs a small program without blocking others. Returns why it failed; null: it ended well within its time. */
export async function runBriefly(call: BriefCall): Promise<string | null> {
  const ended = await runCaptured({ ...call, mostBytes: MOST_ERROR_BYTES })
  if ('why' in ended) return ended.why
  if (ended.isLate) return `it took longer than ${call.limitMs / 1000} seconds`
  if (ended.code === 0) return null
  const printed = Buffer.from(ended.err).toString().trim()
  return `it ended with ${ended.code ?? ended.signal}${printed === '' ? '' : `: ${printed}`}`
}

const MOST_ERROR_BYTES = 64 * 1024

export interface CapturedCall extends BriefCall {
  /** What is printed beyond it, on each of the two outputs, is dropped. */
  mostBytes: number
  /** Ends it early. */
  cancel?: AbortSignal
}

export interface Captured {
  /** Null if a signal ended it. */
  code: number | null
  signal: NodeJS.Signals | number | null
  out: Uint8Array
  err: Uint8Array
  isCut: boolean
  isLate: boolean
}

/** The same, with a bounded part of what it prints; `why` it could not be started. */
export async function runCaptured(call: CapturedCall): Promise<Captured | { why: string }> {
  const child = start(call)
  if ('why' in child) return child
  const { forget } = leaveToRuntime(child.pid)
  const out = keepSome(child.stdout, call.mostBytes)
  const err = keepSome(child.stderr, call.mostBytes)
  const isLate = await endInTime(call, child)
  forget()
  // A process that it left running may hold the pipes open.
  await Promise.race([Promise.all([out.ended, err.ended]), Bun.sleep(LATE_OUTPUT_MS)])
  const { exitCode: code, signalCode: signal } = child
  return { code, signal, isLate, isCut: out.isCut() || err.isCut(), out: out.stop(), err: err.stop() }
}

const LATE_OUTPUT_MS = 200

function start({ argv, cwd, env, input }: CapturedCall) {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _beBun, ...clean } = env
  try {
    return Bun.spawn([...argv], {
      ...{ cwd, env: clean, detached: true },
      stdio: [input === null ? 'ignore' : Buffer.from(input), 'pipe', 'pipe'],
    })
  } catch (error) {
    return { why: (error as Error).message }
  }
}

/** Whose end is asked for, by the name of the run; '' for all of them. */
const askedEnds = new Map<string, Set<AbortSignal>>()

/** From when the signal comes, what reads the work of this run is ended soon. Without a run: that of all runs. */
export function endSoonAfter(signal: AbortSignal, run = ''): { forget(): void } {
  const signals = askedEnds.get(run) ?? new Set()
  askedEnds.set(run, signals.add(signal))
  return {
    forget: () => {
      signals.delete(signal)
      if (signals.size === 0) askedEnds.delete(run)
    },
  }
}

/**
 * For what reads the work of a run in its box, which may never end by itself: programs of the agent take part in it. The
 * signal comes a little later than somebody has asked for the end, so that all ordinary work is still kept.
 */
export async function untilAsked<T>(run: string, work: (cancel: AbortSignal) => Promise<T>): Promise<T> {
  const asked = AbortSignal.any([...(askedEnds.get(run) ?? []), ...(askedEnds.get('') ?? [])])
  const cancel = new AbortController()
  let patience: ReturnType<typeof setTimeout> | undefined
  const wait = (): void => {
    patience = setTimeout(() => cancel.abort(), PATIENCE_MS)
  }
  asked.addEventListener('abort', wait)
  if (asked.aborted) wait()
  try {
    return await work(cancel.signal)
  } finally {
    clearTimeout(patience)
    asked.removeEventListener('abort', wait)
  }
}

const PATIENCE_MS = 3000

/** Waits for the end, and brings it about when the time is over or somebody cancels. Returns whether it was late. */
async function endInTime({ limitMs, cancel }: CapturedCall, child: { pid: number; exited: Promise<number> }) {
  let isLate = false
  const kill = () => signalGroup(child.pid, 'SIGKILL')
  const limit = setTimeout(() => {
    isLate = true
    kill()
  }, limitMs)
  cancel?.addEventListener('abort', kill)
  if (cancel?.aborted) kill()
  await child.exited
  clearTimeout(limit)
  cancel?.removeEventListener('abort', kill)
  return isLate
}

/** Reads to the end, because a full pipe would stop the program, but keeps only so many bytes. */
function keepSome(stream: ReadableStream<Uint8Array>, most: number) {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  let isCut = false
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const kept = value.subarray(0, most - size)
      if (kept.length < value.length) isCut = true
      if (kept.length > 0) chunks.push(kept.slice())
      size += kept.length
    }
  }
  const ended = read().catch(() => {})
  const stop = (): Uint8Array => {
    reader.cancel().catch(() => {})
    return Buffer.concat(chunks)
  }
  return { ended, isCut: () => isCut, stop }
}
