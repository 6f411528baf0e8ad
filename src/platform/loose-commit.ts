import type { Repo } from './find-repo.ts'
import { readLooseObject } from './loose-object.ts'

interface LooseCommit {
  parents: string[]
  /** When it was committed, in Unix seconds. */
  time: number
}

function readLooseCommit(repo: Repo, oid: string): LooseCommit | null {
  const object = readLooseObject(repo, oid)
  if (object?.type !== 'commit') return null
  const text = object.body.toString('latin1')
  const header = text.slice(0, text.indexOf('\n\n'))
  const time = /^committer .* (\d+) [+-]\d+$/m.exec(header)?.[1]
  if (time === undefined) return null
  const parents = header.matchAll(/^parent ([0-9a-f]+)$/gm).map(([, parent]) => parent as string)
  return { parents: [...parents], time: Number(time) }
}

interface NearCommit {
  oid: string
  time: number
}

/** Further back git is faster. */
const NEAR = 32

/**
 * The commits after `base` up to `tip`, newest first, where they are few, in one line and unpacked; null: ask git. Agents
 * make a handful of commits on what they were given, and each question about those would cost a git process.
 */
export function nearCommits(repo: Repo, base: string, tip: string): NearCommit[] | null {
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
