import { expect } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo, Result, RunOptions } from '../support/repo.ts'

/** An error as a user meets it. */
export interface Refusal {
  exit: number
  code: string
  message: string
  hint: string
}

/**
 * Runs a command that must be refused, under both names, with --json and without, and holds the four answers against each
 * other: one error in two lines, the same as data, the same exit code, and no ref moved. The words are those of `gza`.
 */
export function refusalOf(repo: Repo, argv: string[], options: RunOptions = {}): Refusal {
  const before = refsOf(repo)
  const answers = (['gza', 'git-tasks'] as const).map((name) => refusalUnder(name, repo, argv, options))
  const [gza, tasks] = answers as [Refusal, Refusal]
  expect(inOneName(tasks)).toEqual(inOneName(gza))
  expect(refsOf(repo)).toBe(before)
  return gza
}

function refusalUnder(name: 'gza' | 'git-tasks', repo: Repo, [command = '', ...rest]: string[], options: RunOptions) {
  const plain = repo.run([name, command, ...rest], options)
  const json = repo.run([name, command, '--json', ...rest], options)
  const { error } = JSON.parse(json.stdout) as { error: Omit<Refusal, 'exit'> }
  const refusal: Refusal = { exit: json.code, ...error }
  expect(withoutWarnings(json).stderr).toBe('')
  expect(withoutWarnings(plain)).toEqual({
    code: json.code,
    stdout: '',
    stderr: `Error: ${visible(refusal.message)}\n  ${visible(refusal.hint)}\n`,
  })
  return refusal
}

function withoutWarnings(result: Result): Result {
  return { ...result, stderr: result.stderr.replace(/^Warning: .*\n/gm, '') }
}

/** JSON holds the characters themselves, under escapes; a terminal gets the escapes. */
function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not come out
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    if (character === '\r') return '\\r'
    const hex = character.charCodeAt(0).toString(16)
    return hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`
  })
}

/** Commands are named as the caller calls them. */
function inOneName({ message, hint, ...rest }: Refusal): Refusal {
  return { ...rest, message: message.replaceAll('git tasks', 'gza'), hint: hint.replaceAll('git tasks', 'gza') }
}

/** Every ref as it is in its file, also those that git cannot read. Without tips that gza keeps because a ledger lost them. */
export function refsOf(repo: Repo): string {
  const refs = join(repo.dir, '.git/refs')
  const files = readdirSync(refs, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.parentPath !== join(refs, 'gza/lost'),
  )
  const loose = files.map(({ parentPath, name }) => `${join(parentPath, name)} ${readIfThere(join(parentPath, name))}`)
  return [...loose.sort(), readIfThere(join(repo.dir, '.git/packed-refs'))].join('\n')
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
