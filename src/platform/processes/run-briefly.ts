import type { Env } from '../git/git.ts'
import { signalGroup } from './process-table.ts'
import { leaveToRuntime } from './subreaper.ts'

export interface BriefCall {
  argv: readonly string[]
  cwd: string
  env: Env
  input: string
  limitMs: number
}

const LATE_OUTPUT_MS = 200

/** Runs a small program without blocking others. Returns why it failed; null: it ended well within its time. */
export async function runBriefly({ argv, cwd, env, input, limitMs }: BriefCall): Promise<string | null> {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _beBun, ...clean } = env
  try {
    const child = Bun.spawn([...argv], {
      ...{ cwd, env: clean, detached: true },
      stdio: [Buffer.from(input), 'ignore', 'pipe'],
    })
    const { forget } = leaveToRuntime(child.pid)
    const errors = new Response(child.stderr).text()
    const isInTime = await Promise.race([child.exited.then(() => true), Bun.sleep(limitMs).then(() => false)])
    if (!isInTime) signalGroup(child.pid, 'SIGKILL')
    await child.exited
    forget()
    if (!isInTime) return `it took longer than ${limitMs / 1000} seconds`
    if (child.exitCode === 0) return null
    // A process that it left running may hold the pipe open.
    const printed = (await Promise.race([errors, Bun.sleep(LATE_OUTPUT_MS).then(() => '')])).trim()
    return `it ended with ${child.exitCode ?? child.signalCode}${printed === '' ? '' : `: ${printed}`}`
  } catch (error) {
    return (error as Error).message
  }
}
