/** The texts that a task has in the ledger, and the readable copies of them in `.gza/`. */
import { basename } from 'node:path'
import { reviewNames } from '../../core/review/persons-reviews.ts'
import { compareTexts, isTakenBack, readTextName } from '../../core/run/text-names.ts'
import { OUTPUT_FOLDERS } from '../../core/task/output-folders.ts'
import type { Task } from '../../core/task/task.ts'
import { readBlobs } from '../../ledger/read-blobs.ts'
import { type Artifact, artifactsOf } from '../../state/index/ledger-files.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'

export interface TaskText extends Artifact {
  /** What `show --text` calls it. */
  name: string
  kind: 'result' | 'review' | 'attachment'
  /** Where its copy is, from the top of the work tree; null if it has none. */
  copy: string | null
  /** A person took it in, and then undid that. It can only be printed by its name. */
  takenBack: boolean
}

/**
 * Every text of a task, the newest last: files attached to notes, then reviews of its work, then its own results. Those
 * that were taken back come first.
 */
export function textsOf({ ws, row }: LedgerView, task: Task): TaskText[] {
  const ofPhases = task.phases.flatMap(({ artifact }) => (typeof artifact === 'string' ? [basename(artifact)] : []))
  const reviews = [...ofPhases, ...reviewNames(task)]
  const texts = artifactsOf(ws.state, row.lid, `artifacts/${task.uid}/`).map((artifact) =>
    textOf(task, artifact, reviews),
  )
  return texts.sort((a, b) => placeOf(a) - placeOf(b) || compareNames(a, b, reviews))
}

const KINDS: readonly TaskText['kind'][] = ['attachment', 'review', 'result']

function placeOf({ kind, takenBack }: TaskText): number {
  return takenBack ? -1 : KINDS.indexOf(kind)
}

function textOf({ type, notes }: Task, artifact: Artifact, reviews: readonly string[]): TaskText {
  const name = basename(artifact.path)
  const text = { ...artifact, name, takenBack: isTakenBack(notes, name) }
  const folder = OUTPUT_FOLDERS[type]
  const parsed = readTextName(name)
  if (folder !== undefined && parsed !== null)
    return { ...text, kind: 'result', copy: `.gza/${folder}/${parsed.stem}.md` }
  if (reviews.includes(name)) return { ...text, kind: 'review', copy: `.gza/reviews/${name}` }
  return { ...text, kind: 'attachment', copy: null }
}

function compareNames({ name: a, kind }: TaskText, { name: b }: TaskText, reviews: readonly string[]): number {
  if (kind === 'review') return reviews.indexOf(a) - reviews.indexOf(b)
  const [x, y] = [readTextName(a), readTextName(b)]
  return kind === 'result' && x !== null && y !== null ? compareTexts(x, y) : 0
}

export function readText({ ws }: LedgerView, { blob }: Artifact): string | undefined {
  return readBlobs(ws.repo, [blob]).get(blob)?.toString()
}
