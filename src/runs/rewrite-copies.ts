import { basename, join } from 'node:path'
import type { Run, Task } from '../core/task/task.ts'
import { readBlobs } from '../ledger/read-blobs.ts'
import { fileExists, writeText } from '../platform/files/files.ts'
import { artifactsOf } from '../state/index/ledger-files.ts'
import { writeNotes } from '../workspace/ledger/link-commits.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { OUTPUT_FOLDERS } from './prompt/output-folders.ts'

/** Writes the notes and copies that a worker did not write because it died after it recorded the end. */
export function rewriteCopies(ws: Workspace, task: Task, { attempt, outcome }: Run): void {
  if (outcome === 'completed') writeNotes(ws, [task])
  const folder = OUTPUT_FOLDERS[task.type]
  const ending = `-${attempt}.md`
  const { row } = readLedger(ws)
  rewriteReviews(ws, row.lid, task)
  const texts = artifactsOf(ws.state, row.lid, `artifacts/${task.uid}/`).filter(({ path }) => path.endsWith(ending))
  for (const { path, blob } of texts) {
    const text = readBlobs(ws.repo, [blob]).get(blob)?.toString()
    if (text === undefined || folder === undefined || ws.repo.workTree === null) continue
    writeText(join(ws.repo.workTree, '.gza', folder, `${basename(path, ending)}.md`), text)
  }
}

/** The copies of the reviews that people read. */
function rewriteReviews(ws: Workspace, lid: number, task: Task): void {
  const top = ws.repo.workTree
  if (top === null) return
  for (const { artifact } of task.phases) {
    if (typeof artifact !== 'string') continue
    // Only the file name is used: an agent could write a phase with any path.
    const copy = join(top, '.gza', 'reviews', basename(artifact))
    const [found] = fileExists(copy) ? [] : artifactsOf(ws.state, lid, `artifacts/${task.uid}/${basename(artifact)}`)
    const text = found && readBlobs(ws.repo, [found.blob]).get(found.blob)?.toString()
    if (text !== undefined) writeText(copy, text)
  }
}
