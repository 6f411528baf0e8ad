import type { LedgerCommit } from '../../core/ledger/import-stream.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { writeLooseObjects } from '../../platform/git/objects/loose-objects.ts'
import { buildCommit } from './build-commit.ts'
import { rememberWritten } from './written-objects.ts'

/**
 * Writes the commit and its objects, and moves no ref: the caller swaps the ledger's ref to it. `isPlain`: nothing asks
 * for git's own way of writing objects (loose-rules.ts).
 */
export function writeCommit(repo: Repo, commit: LedgerCommit, isPlain: boolean): string {
  return (isPlain && !repo.signs ? writeItself(repo, commit) : null) ?? letGitWrite(repo, commit)
}

/** Null: git has to write it. If the file system refuses, git reports it in its own words. */
function writeItself(repo: Repo, commit: LedgerCommit): string | null {
  const made = buildCommit(repo, commit)
  const oid = made?.at(-1)?.oid
  if (made === null || oid === undefined) return null
  try {
    writeLooseObjects(`${repo.commonDir}/objects`, made)
  } catch {
    return null
  }
  rememberWritten(repo, oid, made)
  return oid
}

/** Loaded only where git has to do it. */
function letGitWrite(repo: Repo, commit: LedgerCommit): string {
  const { importCommit }: typeof import('./import-commit.ts') = require('./import-commit.ts')
  return importCommit(repo, commit)
}
