/** A change of a ledger as the input of `git fast-import`. */
import type { Mode } from '../task/task.ts'
import { bytesOfText } from './byte-text.ts'

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
  /** The bad commit that this one leaves out. */
  without?: string
  /** Unix seconds and the identity git would sign with, `Name <mail>`. */
  time: number
  identity: string
}

const SCRATCH_REF = 'refs/gza/never-written'

/**
 * Its branch is reset to nothing (`zeroOid`) before the end, so no temporary ref ever exists, not even after a crash. The
 * last command prints the id of the commit.
 */
export function importStream({ parents, files, audit }: LedgerCommit, zeroOid: string): Buffer {
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
  parts.push(`\nget-mark :1\nreset ${SCRATCH_REF}\nfrom ${zeroOid}\n\ndone\n`)
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
export function auditMessage({ subject, actor, mode, run, undoes, without }: Audit): string {
  const trailers = [`Actor: ${plainName(actor)}`, `Mode: ${mode}`]
  if (run !== undefined) trailers.push(`Run: ${plainName(run)}`)
  if (undoes !== undefined) trailers.push(`Undoes: ${undoes}`)
  if (without !== undefined) trailers.push(`Without: ${without}`)
  return `${plainName(subject)}\n\n${trailers.join('\n')}\n`
}

/** The form for a trailer: one line, without control characters. */
export function plainName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach a trailer
  return name.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}
