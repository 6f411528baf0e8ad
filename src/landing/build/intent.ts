/**
 * The intent: what is about to land, written before the base moves. `refs/gza/land/<base>` keeps the commit, and a
 * second ref keeps a text with the tasks. Both are in git and not in the state, so that base, ledger and intent
 * together show after any crash how far the landing got, even if the state was lost.
 */
import { z } from 'zod'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runGit, tryGit } from '../../platform/git/git.ts'
import { readRefsIn } from '../../platform/git/ref-files.ts'
import { type RefUpdate, readRef, readRefs, swapRefs } from '../../platform/git/refs.ts'

const INTENT = z.object({
  base: z.string(),
  ledger: z.string(),
  from: z.string(),
  to: z.string(),
  at: z.string(),
  by: z.string(),
  /** Why the base could not move yet, and which checkout prevents it. */
  delayed: z
    .object({
      path: z.string(),
      why: z.string(),
      /** The reason was found by looking, not by a failed attempt, so a later reader can look again. */
      isSeen: z.optional(z.boolean()),
      /** The checkout has begun to follow, so it may have a part of the work. */
      isBegun: z.optional(z.boolean()),
    })
    .nullable(),
  works: z.array(
    z.object({
      id: z.string(),
      branch: z.string(),
      uids: z.array(z.string()),
      head: z.string(),
      /** The tip of the branch; absent in intents of earlier releases, where it is the head. */
      branch_tip: z.optional(z.string()),
      /** A person has agreed to land work of agents that did not finish their task. */
      unfinished: z.optional(z.boolean()),
      rebased: z.string().nullable(),
      method: z.string(),
      commits: z.array(z.string()),
      onto: z.string(),
    }),
  ),
})
export type Intent = z.infer<typeof INTENT>

export function readIntent(repo: Repo, base: string): Intent | null {
  const blob = readRef(repo, intentRef(base))
  if (blob === null) return null
  const exit = tryGit(repo, ['cat-file', 'blob', blob])
  try {
    const intent = INTENT.parse(JSON.parse(exit.stdout.toString()))
    return intent.base === base && intent.to === readRef(repo, landRef(base)) ? intent : null
  } catch {
    // An unreadable intent was written by something else or by a later release. The landing is built again.
    return null
  }
}

/** Whether a landing on the base is not finished. */
export function hasIntent(repo: Repo, base: string): boolean {
  return readRef(repo, intentRef(base)) !== null
}

/** The branches on which a landing is not finished. */
export function intendedBases(repo: Repo): string[] {
  return [...readRefsIn(repo, [INTENTS]).keys()].map((ref) => ref.slice(INTENTS.length))
}

export function writeIntent(repo: Repo, intent: Intent): void {
  const blob = runGit(repo, ['hash-object', '-w', '--stdin'], `${JSON.stringify(intent, null, 2)}\n`)
  const [land, about] = readRefs(repo, refsOf(intent.base))
  const updates = [
    { ref: landRef(intent.base), to: intent.to, from: land ?? null },
    { ref: intentRef(intent.base), to: blob.toString().trim(), from: about ?? null },
  ]
  const isWritten = swapRefs(repo, updates, `gza: about to land on ${intent.base}`)
  if (!isWritten) throw new Error(`${landRef(intent.base)} was moved by somebody else`)
}

export function clearIntent(repo: Repo, base: string): void {
  const tips = readRefs(repo, refsOf(base))
  const there = refsOf(base).flatMap((ref, at): RefUpdate[] => {
    const from = tips[at] ?? null
    return from === null ? [] : [{ ref, to: null, from }]
  })
  if (there.length > 0) swapRefs(repo, there, 'gza: landed')
}

function refsOf(base: string): [string, string] {
  return [landRef(base), intentRef(base)]
}

function landRef(base: string): string {
  return `refs/gza/land/${base}`
}

function intentRef(base: string): string {
  return INTENTS + base
}

const INTENTS = 'refs/gza/land-intent/'
