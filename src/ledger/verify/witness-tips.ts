import { join } from 'node:path'
import { z } from 'zod'
import { appendText, readTextIfThere } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { refuseGoneRepo, runGit } from '../../platform/git/git.ts'
import { unreachedTips } from '../unreached-tips.ts'

/**
 * The tips of each ledger before and after every guarded command, which the guard kept in its own memory meanwhile: one
 * JSON object on each line, in a file that is only ever appended to.
 */
export interface TipLine {
  at: string
  /** The ref, for example refs/tasks/main. */
  ledger: string
  /** null: the ledger did not exist. */
  before: string | null
  /** null with `ended`: the ledger had disappeared. */
  after: string | null
  run: string
  /** False in the line that is written before the command starts, so that a killed guard leaves its witness too. */
  ended: boolean
  /** What was wrong with the step from before to after; null if nothing was. */
  why: string | null
}

const tipLine = z.object({
  at: z.string(),
  ledger: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  run: z.string(),
  ended: z.boolean(),
  why: z.string().nullable(),
})

/** The lines of the record, oldest first. Lines that are not such an object are left out. */
export function readTipLines(repo: Repo): TipLine[] {
  const path = recordPath(repo)
  const text = readTextIfThere(path) ?? ''
  const before = read.get(path)
  // The file only grows, and is read twice in each run: lines that were parsed before are not parsed again.
  const lines =
    before && text.startsWith(before.text)
      ? [...before.lines, ...parseLines(text.slice(before.text.length))]
      : parseLines(text)
  if (text.endsWith('\n')) read.set(path, { text, lines })
  return lines
}

const read = new Map<string, { text: string; lines: TipLine[] }>()

function parseLines(text: string): TipLine[] {
  return text.split('\n').flatMap((line) => {
    const parsed = tipLine.safeParse(parseJson(line))
    return parsed.success ? [parsed.data] : []
  })
}

export function appendTipLines(repo: Repo, lines: readonly TipLine[]): void {
  if (lines.length === 0) return
  refuseGoneRepo(repo)
  appendText(recordPath(repo), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

export interface GuardWitness {
  name: 'guard'
  /** `warns`: the history is complete, but the guard saw an illegal step. */
  state: 'agrees' | 'warns' | 'differs' | 'missing'
  detail: string
}

/**
 * Does the ledger's history still contain every commit that a guard recorded as good? `tips` are its current tips. A
 * step that a guard found bad is reported too, even after it was repaired.
 */
export function guardWitness(
  repo: Repo,
  ledger: string,
  tips: readonly string[],
  record = readTipLines(repo),
): GuardWitness {
  const lines = record.filter((line) => line.ledger === ledger)
  if (lines.length === 0) return { name: 'guard', state: 'missing', detail: 'no command ran under the guard yet' }
  const lost = firstLost(repo, goodTips(lines), tips)
  const bad = lines.filter(({ why }) => why !== null).map(({ at, run, why }) => `${at} in run ${run}: ${why}`)
  const state = bad.length === 0 ? 'agrees' : 'warns'
  if (lost === null) return { name: 'guard', state, detail: [...bad, `recorded tips: ${lines.length}`].join('; ') }
  const held = lines.find(({ before, after }) => before === lost || after === lost)
  return {
    name: 'guard',
    state: 'differs',
    detail: [`${lost.slice(0, 10)}, recorded at ${held?.at} in run ${held?.run}, is not in its history`, ...bad].join(
      '; ',
    ),
  }
}

/** An honest ledger always has these among its ancestors. */
function goodTips(lines: readonly TipLine[]): string[] {
  const tips = lines.flatMap(({ before, after, why }) => [before, why === null ? after : null])
  return [...new Set(tips.filter((tip) => tip !== null && OID.test(tip)))] as string[]
}

const OID = /^[0-9a-f]{40,64}$/

function firstLost(repo: Repo, good: readonly string[], tips: readonly string[]): string | null {
  const missing = runGit(repo, ['cat-file', '--batch-check=%(objectname)'], good.map((oid) => `${oid}\n`).join(''))
  const vanished = /^([0-9a-f]+) missing$/m.exec(missing.toString())?.[1]
  if (vanished !== undefined) return vanished
  return unreachedTips(repo, good, tips)[0] ?? null
}

function recordPath(repo: Repo): string {
  return join(repo.commonDir, 'gza', 'guard', 'tips.jsonl')
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
