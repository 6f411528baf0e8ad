/** Illegal commits that a person has accepted. They belong to the person: a repository cannot bring them along. */
import { join } from 'node:path'
import { readTextIfThere, writeText } from '../../platform/files/files.ts'
import { userStateFolder } from '../../platform/files/user-folders.ts'
import type { Workspace } from '../workspace.ts'

export function acceptedCommits(ws: Workspace): Set<string> {
  return new Set(Object.keys(readAccepted(ws)))
}

export function acceptCommit(ws: Workspace, commit: string): void {
  const accepted = { ...readAccepted(ws), [commit]: { ledger: ws.ledger, at: ws.now() } }
  writeText(acceptedFile(ws), `${JSON.stringify(accepted, null, 2)}\n`)
}

function acceptedFile(ws: Workspace): string {
  return join(userStateFolder(ws.env), 'accepted-commits.json')
}

/** A file that was damaged accepts nothing. */
function readAccepted(ws: Workspace): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readTextIfThere(acceptedFile(ws)) ?? '{}')
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
