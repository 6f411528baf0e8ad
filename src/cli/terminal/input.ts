import { UserError } from '../../core/user-error.ts'
import type { CallContext } from '../call-context.ts'

/** The text of a file named on the command line; `-` is standard input. */
export function readInput(context: Pick<CallContext, 'cwd'>, name: string): string {
  if (name === '-') return readStdin()
  try {
    return decode(nodeFs().readFileSync(pathOf(context, name)), name)
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(name, error)
  }
}

/** The same with its path; null if there is no such file. */
export function readInputIfThere(context: CallContext, name: string): { path: string; text: string } | null {
  const path = pathOf(context, name)
  return nodeFs().existsSync(path) ? { path, text: readInput(context, name) } : null
}

/** A text given as an argument or through a pipe; null if the editor should ask for it. */
export async function givenText(context: CallContext, argument: string | undefined): Promise<string | null> {
  if (argument !== undefined && argument !== '-') return argument
  if (argument === undefined && (await context.isTerminal(0))) return null
  return withoutLastNewline(readStdin())
}

/** Asks the person at the terminal. Every answer except yes means no. */
export function asksYes(context: CallContext, question: string): boolean {
  context.out.flush()
  context.err.write(`${question} [y/N] `)
  context.err.flush()
  const line = Buffer.alloc(1024)
  const length = Math.max(0, readSome(line))
  return /^\s*y(?:es)?\s*$/i.test(line.subarray(0, length).toString())
}

function readStdin(): string {
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = Buffer.alloc(64 * 1024)
    const length = readSome(chunk)
    if (length === 0) return decode(Buffer.concat(chunks), 'Standard input')
    if (length > 0) chunks.push(chunk.subarray(0, length))
  }
}

/** 0 at the end, -1 if nothing has arrived yet on a non-blocking pipe. A closed standard input counts as empty. */
function readSome(chunk: Buffer): number {
  try {
    return nodeFs().readSync(0, chunk)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EOF' || code === 'EBADF') return 0
    if (code !== 'EAGAIN') throw unreadable('Standard input', error)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    return -1
  }
}

function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UserError('NOT_UTF8', `${name} is not UTF-8 text`, { hint: 'Convert it first, for instance with iconv.' })
  }
}

function withoutLastNewline(text: string): string {
  return text.replace(/\r?\n$/, '')
}

function unreadable(name: string, error: unknown): UserError {
  const { code = '', message } = error as NodeJS.ErrnoException
  const why = REASONS[code] ?? message
  return new UserError('UNREADABLE_FILE', `${name} cannot be read: ${why}`, {
    hint: 'Name a text file, or give - and pipe the text in.',
    exitCode: 2,
  })
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you do not have permission to read it',
}

// Both take long to load, and most texts are arguments.
function nodeFs(): typeof import('node:fs') {
  return require('node:fs')
}

function pathOf({ cwd }: Pick<CallContext, 'cwd'>, name: string): string {
  const { resolve }: typeof import('node:path') = require('node:path')
  return resolve(cwd, name)
}
