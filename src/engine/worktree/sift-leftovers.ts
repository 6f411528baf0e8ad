import { join } from 'node:path'
import { secretByContent, secretByName } from '../../core/run/secret-files.ts'
import { inspectFile, readRaw } from '../../platform/files/inspect-file.ts'
import type { GitPlace } from '../../platform/git/git.ts'
import { runOwnGit } from '../../platform/git/own-git.ts'
import { type Change, isNew } from '../../platform/git/uncommitted.ts'

export interface Refused {
  path: string
  why: string
}

const LARGEST = 5 * 1024 * 1024

/** The changes that gza does not commit by itself, each with its reason. A person decides about them. */
export function siftLeftovers(place: GitPlace, changes: readonly Change[]): Refused[] {
  return changes.flatMap((change) => {
    const why = whyRefused(place, change)
    return why === null ? [] : [{ path: change.path, why }]
  })
}

function whyRefused(place: GitPlace, change: Change): string | null {
  // If it were added, it would become a link to commits that nobody else has.
  if (change.path.endsWith('/')) return 'a repository of its own'
  const facts = inspectFile(join(place.dir, change.path))
  if (facts === null) return null
  // Git lists the files of a new folder, and the folder itself only if it cannot look inside.
  if (facts.kind === 'folder') return isNew(change) ? 'it cannot be read' : null
  const byName = isNew(change) ? secretByName(change.path) : null
  if (byName !== null) return `likely a secret: ${byName}`
  if (facts.kind !== 'file') return null
  if (facts.size > LARGEST) return `${(facts.size / 1024 / 1024).toFixed(1)} MB, over 5 MB`
  return whyRefusedContent(place, change)
}

function whyRefusedContent(place: GitPlace, change: Change): string | null {
  const text = readRaw(join(place.dir, change.path))
  if (text === null) return 'it cannot be read'
  const secret = secretByContent(text)
  // A secret that is already in HEAD is accepted: a file with a key for tests can still be edited.
  if (secret === null || (!isNew(change) && secret === secretInHead(place, change.path))) return null
  return `likely a secret: ${secret}`
}

function secretInHead(place: GitPlace, path: string): string | null {
  return secretByContent(runOwnGit(place, ['cat-file', 'blob', `HEAD:${path}`]).toString('latin1'))
}
