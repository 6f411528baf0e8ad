/** What the probes of a traced program call. It writes what it counted when the program exits. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Frame {
  file: string
  caller: string | null
}

interface Counting {
  files: Set<string>
  /** `caller callee`: how often. */
  calls: Map<string, number>
}

declare global {
  var hops: Counting | undefined
}

// Global, because files that are bundled before this one already call it while they are loaded.
globalThis.hops ??= { files: new Set(), calls: new Map() }
var current: string | null

export function enter(file: string): Frame {
  globalThis.hops ??= { files: new Set(), calls: new Map() }
  const { files, calls } = globalThis.hops
  const frame = { file, caller: current ?? null }
  files.add(file)
  if (current != null && current !== file) {
    const pair = `${current} ${file}`
    calls.set(pair, (calls.get(pair) ?? 0) + 1)
  }
  current = file
  return frame
}

export function leave({ caller }: Frame): void {
  current = caller
}

/** Before an await or a yield. */
export function pause<T>({ caller }: Frame, value: T): T {
  current = caller
  return value
}

/** After an await: called by the event loop, not by the original caller. */
export function awaited<T>(frame: Frame, value: T): T {
  frame.caller = null
  current = frame.file
  return value
}

/** After a yield: called by the code that asks for the next value. */
export function resumed<T>(frame: Frame, value: T): T {
  frame.caller = current
  current = frame.file
  return value
}

/** After an await that may have thrown, or after a generator returned a value. */
export function back({ file }: Frame): void {
  current = file
}

const folder = process.env.GZA_HOPS
if (folder !== undefined)
  process.on('exit', () => {
    const counted = {
      argv: process.argv.slice(2),
      files: [...(globalThis.hops?.files ?? [])],
      calls: [...(globalThis.hops?.calls ?? [])],
    }
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(counted))
  })
