import { type ChangedFile, changedFiles } from '../../core/landing/changed-files.ts'
import { isTestFile } from '../../core/size/layers.ts'
import {
  configuresLint,
  configuresTests,
  isCode,
  isSnapshot,
  mayHoldChecks,
  namedFiles,
} from '../../core/weakened/check-files.ts'
import { readDiff } from '../../core/weakened/diff-text.ts'
import { findWeakened } from '../../core/weakened/find-weakened.ts'
import type { Weakening } from '../../core/weakened/weakening.ts'
import type { GitPlace } from '../../platform/git/git.ts'
import { runOwnGit, runOwnGitAsync } from '../../platform/git/own-git.ts'

export interface JudgedChange {
  from: string
  to: string
  /** The command lines of the project's checks; null: there is none. */
  commands: readonly (string | null)[]
}

/** Where the change makes checks see less. Only objects are read, never a worktree. */
export async function readWeakened(place: GitPlace, change: JudgedChange): Promise<Weakening[]> {
  const chosen = chooseFiles(await runOwnGitAsync(place, listCall(change)), change)
  if (chosen.read.length === 0) return chosen.unread
  const diffs: Buffer[] = []
  for (const files of batches(chosen.read)) diffs.push(await runOwnGitAsync(place, diffCall(change, files)))
  return [...judge(diffs, chosen), ...chosen.unread]
}

/** The same at once. */
export function readWeakenedNow(place: GitPlace, change: JudgedChange): Weakening[] {
  const chosen = chooseFiles(runOwnGit(place, listCall(change)), change)
  if (chosen.read.length === 0) return chosen.unread
  const diffs = batches(chosen.read).map((files) => runOwnGit(place, diffCall(change, files)))
  return [...judge(diffs, chosen), ...chosen.unread]
}

/** More changed lines of one file, or of all together, nobody has written by hand. */
const MOST_LINES = 20_000
const MOST_LINES_IN_ALL = 100_000

/**
 * `--text`, because attributes of the tree can call a test binary. The other flags undo a person's settings for
 * display.
 */
const DIFF = [
  ...['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--text', '--find-renames', '--no-relative'],
  ...['--submodule=short', '--src-prefix=a/', '--dst-prefix=b/', '--unified=0', '--inter-hunk-context=0'],
]

function listCall({ from, to }: JudgedChange): string[] {
  return [...DIFF, '--raw', '--numstat', '-z', from, to, '--']
}

function diffCall({ from, to }: JudgedChange, files: readonly ChangedFile[]): string[] {
  const names = files.flatMap(({ path, old_path }) => (old_path === null ? [path] : [old_path, path]))
  return [...DIFF, from, to, '--', ...names.map((name) => `:(top,literal)${name}`)]
}

interface Chosen {
  read: ChangedFile[]
  unread: Weakening[]
  commandFiles: Set<string>
}

function chooseFiles(listed: Buffer, { commands }: JudgedChange): Chosen {
  const commandFiles = namedFiles(commands)
  const concerns = ({ path, old_path }: ChangedFile) =>
    [path, old_path ?? path].some((name) => commandFiles.has(name) || CONCERNS.some((isOne) => isOne(name)))
  const chosen: Chosen = { read: [], unread: [], commandFiles }
  let lines = 0
  for (const file of changedFiles(listed.toString()).filter(concerns)) {
    const count = (file.added ?? 0) + (file.removed ?? 0)
    const isTooLong = count > MOST_LINES || lines + count > MOST_LINES_IN_ALL
    if (!isTooLong) chosen.read.push(file)
    else if (isTestFile(file.path)) chosen.unread.push({ kind: 'not-read', path: file.path, line: null, text: '' })
    lines += isTooLong ? 0 : count
  }
  return chosen
}

const CONCERNS = [isTestFile, isCode, isSnapshot, configuresTests, configuresLint, mayHoldChecks]

function judge(diffs: readonly Buffer[], { commandFiles }: Chosen): Weakening[] {
  return findWeakened(
    diffs.flatMap((diff) => readDiff(diff.toString())),
    commandFiles,
  )
}

/** The names are arguments, and those of 30,000 renamed files are longer than a command line may be. */
const MOST_NAMED = 200

function batches(files: readonly ChangedFile[]): ChangedFile[][] {
  const parts: ChangedFile[][] = []
  for (let at = 0; at < files.length; at += MOST_NAMED) parts.push(files.slice(at, at + MOST_NAMED))
  return parts
}
