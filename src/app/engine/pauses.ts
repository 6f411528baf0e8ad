/** An agent that hit its account's usage limit rests until the reset, in every repository of the person. */
import { join } from 'node:path'
import { readTextIfThere, writeText } from '../../platform/files.ts'
import type { Env } from '../../platform/git.ts'
import { userStateFolder } from '../../platform/user-folders.ts'

/** Where a client names no moment: long enough not to hammer, short enough not to lose a night. */
const UNKNOWN_RESET_MS = 30 * 60_000

export function pausedUntil(env: Env, agent: string, now: string): string | null {
  const until = readPauses(env)[agent]
  return until !== undefined && until > now ? until : null
}

export function pauseAgent(env: Env, agent: string, resetsAt: string | null, now: string): string {
  const until = resetsAt ?? new Date(Date.parse(now) + UNKNOWN_RESET_MS).toISOString()
  writeText(pauseFile(env), `${JSON.stringify({ ...readPauses(env), [agent]: until }, null, 2)}\n`)
  return until
}

function readPauses(env: Env): Record<string, string> {
  try {
    return JSON.parse(readTextIfThere(pauseFile(env)) ?? '{}')
  } catch {
    return {}
  }
}

function pauseFile(env: Env): string {
  return join(userStateFolder(env), 'pauses.json')
}
