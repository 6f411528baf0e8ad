/** A ledger's commit as git itself writes it. */
import { resolve } from 'node:path'
import { auditMessage, importStream, type LedgerCommit } from '../../core/ledger/import-stream.ts'
import { UserError } from '../../core/user-error.ts'
import { removeFile } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { gitError, runGit, tryGit } from '../../platform/git/git.ts'

/**
 * One fast-import creates blobs, trees and commit in one process (hash-object, mktree and commit-tree would be four or
 * more).
 */
export function importCommit(repo: Repo, commit: LedgerCommit): string {
  const exit = tryGit(
    repo,
    ['fast-import', '--quiet', '--force', '--done', '--date-format=raw'],
    importStream(commit, repo.zeroOid),
  )
  const oid = exit.stdout.toString().trim()
  if (exit.code === 0 && /^[0-9a-f]{40,64}$/.test(oid)) return repo.signs ? signCommit(repo, oid, commit) : oid
  removeCrashReport(repo, exit.stderr)
  throw gitError(['fast-import'], exit)
}
/** Git leaves a crash report next to the repository's own files; our error contains its text. */
function removeCrashReport(repo: Repo, stderr: string): void {
  const path = /dumping crash report to (.+)/.exec(stderr)?.[1]
  if (path !== undefined) removeFile(resolve(repo.dir, path))
}

/**
 * The same commit once more, signed: fast-import cannot sign. Costs two more processes, only for users who enable it.
 */
function signCommit(repo: Repo, oid: string, { parents, audit }: LedgerCommit): string {
  const tree = runGit(repo, ['rev-parse', `${oid}^{tree}`])
    .toString()
    .trim()
  const [, name = '', mail = ''] = /^(.*) <(.*)>$/.exec(audit.identity) ?? []
  const date = `${audit.time} +0000`
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: mail, GIT_AUTHOR_DATE: date }
  const committer = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: mail, GIT_COMMITTER_DATE: date }
  const place = { dir: repo.dir, env: { ...repo.env, ...author, ...committer } }
  const args = ['commit-tree', '-S', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree]
  const exit = tryGit(place, args, auditMessage(audit))
  if (exit.code === 0) return exit.stdout.toString().trim()
  throw new UserError('NOT_SIGNED', `The change could not be signed: ${exit.stderr.trim().split('\n')[0]}`, {
    hint: 'Nothing was changed. Set user.signingkey and gpg.format, or turn signing off: git config gza.sign false',
  })
}
