/**
 * Illegal commits that a person has accepted, and the tips that were verified here. Both belong to the person: a
 * repository cannot bring them along.
 */
import { join } from 'node:path'
import { readTextIfThere, writeText } from '../../platform/files/files.ts'
import { userStateFolder } from '../../platform/files/user-folders.ts'
import type { Workspace } from '../workspace.ts'

export function acceptedCommits(ws: Workspace): Set<string> {
  return new Set(Object.keys(readEntries(ws, ACCEPTED)))
}

export function acceptCommit(ws: Workspace, commit: string): void {
  writeEntry(ws, ACCEPTED, commit, { ledger: ws.ledger, at: ws.now() })
}

/** Every commit up to this one was checked, or accepted. */
export function verifiedTip(ws: Workspace, ledger: string): string | null {
  return verifiedTips(ws)(ledger)
}

/** The same for all ledgers, read once. */
export function verifiedTips(ws: Workspace): (ledger: string) => string | null {
  const entries = readEntries(ws, VERIFIED)
  return (ledger) => {
    const tip = entries[keyOf(ws, ledger)]
    return typeof tip === 'string' ? tip : null
  }
}

/** Only a saving: where nothing can be written, the same commits are checked again. */
export function markVerified(ws: Workspace, ledger: string, tip: string): void {
  try {
    writeEntry(ws, VERIFIED, keyOf(ws, ledger), tip)
  } catch {
    // The next command checks them again.
  }
}

const ACCEPTED = 'accepted-commits.json'
const VERIFIED = 'verified-tips.json'

function keyOf({ repo }: Workspace, ledger: string): string {
  return `${repo.commonDir} ${ledger}`
}

function writeEntry(ws: Workspace, file: string, key: string, value: unknown): void {
  const entries = { ...readEntries(ws, file), [key]: value }
  writeText(join(userStateFolder(ws.env), file), `${JSON.stringify(entries, null, 2)}\n`)
}

/** A damaged file has no entries: nothing is accepted, and everything is checked again. */
function readEntries(ws: Workspace, file: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readTextIfThere(join(userStateFolder(ws.env), file)) ?? '{}')
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
