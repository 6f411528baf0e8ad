import type { WrittenTask } from '../../core/ledger/written-task.ts'
import { isTakenBack } from '../../core/run/text-names.ts'
import { isArchived } from '../../core/task/status-predicates.ts'
import { titleOf } from '../../core/task/task.ts'
import type { Document } from '../../state/search/documents.ts'

/** A file of a task in the ledger: a plan, an exploration, a review, an attachment. */
export interface ArtifactBytes {
  name: string
  bytes: Uint8Array
}

/** Everything that can be found of a task: what is struck out or taken back cannot. */
export function taskDocument(task: WrittenTask, files: readonly ArtifactBytes[]): Document {
  const artifacts = files.filter(({ name, bytes }) => !isTakenBack(task.notes, name) && isText(bytes))
  const { key, content, notes, user_story, acceptance_criteria = [] } = task
  const { files_to_create = [], files_to_modify = [], test_files = [] } = task
  const { uid, status, archived = false } = task
  return {
    uid,
    archived: isArchived({ status, archived }) ? 1 : 0,
    texts: {
      title: [[key, titleOf(task)].filter(Boolean).join(' ')],
      content: [content],
      note: notes.filter(({ retracted }) => !retracted).map(({ text }) => text),
      criteria: user_story === undefined ? acceptance_criteria : [...acceptance_criteria, user_story],
      file: [...files_to_create, ...files_to_modify, ...test_files],
      artifact: artifacts.map(({ bytes }) => new TextDecoder().decode(bytes.subarray(0, MOST_BYTES))),
    },
    artifacts: artifacts.map(({ name }) => name),
  }
}

/** No person reads more of a text, and one large attachment must not fill the store. */
const MOST_BYTES = 1_000_000

function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, MOST_BYTES).includes(0)
}
