import { basename, join } from 'node:path'
import type { Run, Task } from '../../core/task.ts'
import { readBlobs } from '../../ledger/read-blobs.ts'
import { writeText } from '../../platform/files.ts'
import { artifactsOf } from '../../state/sqlite/read-index.ts'
import { readLedger } from '../fresh-ledger.ts'
import { writeNotes } from '../link-commits.ts'
import type { Workspace } from '../workspace.ts'
import { OUTPUT_FOLDERS } from './output-folders.ts'

/** Writes again what a worker that died after it had recorded the end may not have come to: notes, and the text's copy. */
export function mendCopies(ws: Workspace, task: Task, { attempt }: Run): void {
  writeNotes(ws, [task])
  const folder = OUTPUT_FOLDERS[task.type]
  const ending = `-${attempt}.md`
  const { row } = readLedger(ws)
  const texts = artifactsOf(ws.state, row.lid, `artifacts/${task.uid}/`).filter(({ path }) => path.endsWith(ending))
  for (const { path, blob } of texts) {
    const text = readBlobs(ws.repo, [blob]).get(blob)?.toString()
    if (text === undefined || folder === undefined || ws.repo.workTree === null) continue
    writeText(join(ws.repo.workTree, '.gza', folder, `${basename(path, ending)}.md`), text)
  }
}
