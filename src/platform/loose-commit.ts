import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from './find-repo.ts'

export interface LooseCommit {
  parents: string[]
  /** When it was committed, in Unix seconds. */
  time: number
}

/** A commit that lies unpacked in the repository, as the latest ones do; null: ask git. */
export function readLooseCommit({ commonDir }: Pick<Repo, 'commonDir'>, oid: string): LooseCommit | null {
  try {
    const file = readFileSync(join(commonDir, 'objects', oid.slice(0, 2), oid.slice(2)))
    return parseCommit(Buffer.from(Bun.inflateSync(file, WITH_HEADER)).toString('latin1'))
  } catch {
    return null
  }
}

// Bun's own: node:zlib takes 4 ms to load, in every command that shows a task.
const WITH_HEADER = { windowBits: 15 } as const

function parseCommit(text: string): LooseCommit | null {
  const header = text.slice(text.indexOf('\0') + 1, text.indexOf('\n\n'))
  const time = /^committer .* (\d+) [+-]\d+$/m.exec(header)?.[1]
  if (!text.startsWith('commit ') || time === undefined) return null
  const parents = header.matchAll(/^parent ([0-9a-f]+)$/gm).map(([, parent]) => parent as string)
  return { parents: [...parents], time: Number(time) }
}

export interface NearCommit {
  oid: string
  time: number
}

/** Further back git is faster. */
const NEAR = 32

/**
 * The commits after `base` up to `tip`, newest first, where they are few, in one line and unpacked; null: ask git. Agents
 * make a handful of commits on what they were given, and each question about those would cost a git process.
 */
export function nearCommits(repo: Pick<Repo, 'commonDir'>, base: string, tip: string): NearCommit[] | null {
  const found: NearCommit[] = []
  for (let oid = tip; oid !== base; ) {
    const commit = found.length < NEAR ? readLooseCommit(repo, oid) : null
    const [parent] = commit?.parents ?? []
    if (commit === null || parent === undefined || commit.parents.length > 1) return null
    found.push({ oid, time: commit.time })
    oid = parent
  }
  return found
}
