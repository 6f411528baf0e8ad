/** What one step of a ledger changed, line by line: only lines that differ are parsed. */
import { splitLargeLines, splitTaskFiles } from '../../core/ledger/file-layout.ts'
import type { Task } from '../../core/task/task.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runGit } from '../../platform/git/git.ts'
import { readBlobs } from '../read-blobs.ts'
import { readTaskLine } from '../read-task-line.ts'
import { linesOfOneSide } from './differing-lines.ts'

/** A pair of trees to compare, each with its commit; null for the empty beginning. */
export interface Step {
  from: { commit: string; tree: string } | null
  to: { commit: string; tree: string }
}

/** The tasks that differ between both sides of a step, by uid. */
export interface StepLines {
  before: Map<string, Task>
  after: Map<string, Task>
  /** Lines that appeared and cannot be read. */
  unreadable: { text: string; why: string }[]
  /** Artifacts that were added, removed or changed. */
  artifacts: FileChange[]
}

export interface FileChange {
  path: string
  before: string | null
  after: string | null
}

/** `changes`: what diffSteps gives for the steps, if it is known. */
export function readSteps(repo: Repo, steps: readonly Step[], changes = diffSteps(repo, steps)): StepLines[] {
  const taskFiles = changes.map(splitTaskFiles)
  const wanted = taskFiles.flatMap((files) => files.lines.flatMap(({ before, after }) => [before, after]))
  const blobs = readBlobs(repo, [...new Set(wanted.filter((oid) => oid !== null))])
  const lines = taskFiles.map((files) => differingLines(files, blobs))
  const large = readBlobs(repo, [...new Set(steps.flatMap((step, i) => largeNames(step, lines[i] as DifferingLines)))])
  return steps.map((step, i) => parseStep(step, lines[i] as DifferingLines, changes[i] ?? [], large))
}

/** One `diff-tree --stdin` for all steps: a header line with two trees, then its changes. */
export function diffSteps(repo: Repo, steps: readonly Step[]): FileChange[][] {
  if (steps.length === 0) return []
  const empty = repo.zeroOid.length === 64 ? EMPTY_TREE_SHA256 : EMPTY_TREE
  const pairs = steps.map((step) => `${step.from?.tree ?? empty} ${step.to.tree}`)
  const fields = runGit(
    repo,
    ['diff-tree', '--stdin', '-r', '-z', '--no-renames', '--full-index'],
    `${pairs.join('\n')}\n`,
  )
    .toString()
    .split('\0')
  const changes: FileChange[][] = []
  let files: FileChange[] = []
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i] as string
    const row = field.slice(field.lastIndexOf('\n') + 1)
    for (let headers = field.split('\n').length - 1; headers > 0; headers--) {
      files = []
      changes.push(files)
    }
    if (!row.startsWith(':')) continue
    const [, , before = '', after = ''] = row.split(' ')
    files.push({ path: fields[++i] ?? '', before: oidOrNull(before), after: oidOrNull(after) })
  }
  return changes
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const EMPTY_TREE_SHA256 = '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'

function oidOrNull(oid: string): string | null {
  return /^0+$/.test(oid) ? null : oid
}

interface DifferingLines {
  before: Side
  after: Side
}

interface Side {
  /** Lines that are whole tasks. */
  whole: string[]
  /** The names of the files with large tasks: those of short lines, and those that changed without their shard. */
  large: Set<string>
}

function differingLines(
  files: Record<'lines' | 'large', FileChange[]>,
  blobs: ReadonlyMap<string, Buffer>,
): DifferingLines {
  const bytesOf = (oid: string | null) => (oid === null ? undefined : blobs.get(oid)) ?? NOTHING
  const pairs = files.lines.map((file) => ({ before: bytesOf(file.before), after: bytesOf(file.after) }))
  const { before, after } = linesOfOneSide(pairs)
  const sideOf = (lines: readonly string[]): Side => {
    const { whole, large } = splitLargeLines(lines)
    return { whole, large: new Set([...files.large.map(({ path }) => path), ...large]) }
  }
  return { before: sideOf(before), after: sideOf(after) }
}

const NOTHING = Buffer.alloc(0)

function largeNames(step: Step, { before, after }: DifferingLines): string[] {
  const from = step.from === null ? [] : [...before.large].map((name) => `${step.from?.commit}:${name}`)
  return [...from, ...[...after.large].map((name) => `${step.to.commit}:${name}`)]
}

function parseStep(
  step: Step,
  lines: DifferingLines,
  files: readonly FileChange[],
  large: ReadonlyMap<string, Buffer>,
): StepLines {
  const unreadable: { text: string; why: string }[] = []
  const read = (commit: string | undefined, side: Side, report: boolean) => {
    const tasks = new Map<string, Task>()
    const texts = [...side.whole, ...[...side.large].map((name) => large.get(`${commit}:${name}`)?.toString())]
    for (const text of texts) {
      if (text === undefined) continue
      const parsed = readTaskLine(text)
      if ('task' in parsed) tasks.set(parsed.task.uid, parsed.task)
      else if (report) unreadable.push({ text, why: parsed.why })
    }
    return tasks
  }
  return {
    before: read(step.from?.commit, lines.before, false),
    after: read(step.to.commit, lines.after, true),
    unreadable,
    artifacts: files.filter(({ path }) => path.startsWith('artifacts/')),
  }
}
