import { resolve } from 'node:path'
import { bytesOfText } from '../core/ledger/byte-text.ts'
import { plainName } from '../core/ledger/forward-steps.ts'
import type { Mode } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { removeFile } from '../platform/files/files.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { gitError, runGit, tryGit } from '../platform/git/git.ts'

/** One change of a ledger, ready to become one commit. */
export interface LedgerCommit {
  parents: readonly string[]
  /** Files to write; null removes one. */
  files: ReadonlyMap<string, FileContent | null>
  audit: Audit
}

/** Text or bytes, or a blob that git already has. */
export type FileContent = string | Buffer | { blob: string }

/** The audit line of a change, and its author. */
export interface Audit {
  subject: string
  actor: string
  mode: Mode
  run?: string
  /** The commit that an undo reverts. */
  undoes?: string
  /** Unix seconds and the identity git would sign with, `Name <mail>`. */
  time: number
  identity: string
}

/**
 * Writes the commit and its objects, and moves no ref: the caller swaps the ledger's ref to it.
 *
 * One fast-import creates blobs, trees and commit in one process (hash-object, mktree and commit-tree would be four or
 * more). Its branch is reset to nothing before the end, so no temporary ref ever exists, not even after a crash.
 */
export function writeCommit(repo: Repo, commit: LedgerCommit): string {
  const exit = tryGit(
    repo,
    ['fast-import', '--quiet', '--force', '--done', '--date-format=raw'],
    importStream(repo, commit),
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

const SCRATCH_REF = 'refs/gza/never-written'

function importStream(repo: Repo, { parents, files, audit }: LedgerCommit): Buffer {
  const [first, ...others] = parents
  const who = `${audit.identity} ${audit.time} +0000`
  const parts: (string | Buffer)[] = [
    `commit ${SCRATCH_REF}\nmark :1\nauthor ${who}\ncommitter ${who}\n`,
    data(auditMessage(audit)),
    first ? `from ${first}\n` : '',
    ...others.map((parent) => `merge ${parent}\n`),
  ]
  for (const [path, content] of files) {
    if (content === null) parts.push(`D ${quote(path)}\n`)
    else if (isBlob(content)) parts.push(`M 100644 ${content.blob} ${quote(path)}\n`)
    else parts.push(`M 100644 inline ${quote(path)}\n`, data(content))
  }
  parts.push(`\nget-mark :1\nreset ${SCRATCH_REF}\nfrom ${repo.zeroOid}\n\ndone\n`)
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}

/**
 * Names also come from other clones: a name with a line break would be read as further commands, and could move any
 * ref.
 */
function quote(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

function isBlob(content: FileContent): content is { blob: string } {
  return typeof content === 'object' && 'blob' in content
}

function data(content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? bytesOfText(content) : content
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

/** `done task-a3f8`, then the actor, the mode and the run. Line breaks would forge trailers. */
export function auditMessage({ subject, actor, mode, run, undoes }: Audit): string {
  const trailers = [`Actor: ${plainName(actor)}`, `Mode: ${mode}`]
  if (run !== undefined) trailers.push(`Run: ${plainName(run)}`)
  if (undoes !== undefined) trailers.push(`Undoes: ${undoes}`)
  return `${plainName(subject)}\n\n${trailers.join('\n')}\n`
}
