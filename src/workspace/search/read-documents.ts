import { readBlobs } from '../../ledger/read-blobs.ts'
import { artifactsOfTasks } from '../../state/index/filtered-entries.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { writtenTasksOfRows } from '../../state/index/read-tasks.ts'
import type { Document } from '../../state/search/documents.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { type ArtifactBytes, taskDocument } from './task-document.ts'

/** The texts of these tasks, in the same order. At most one git process. */
export function readDocuments(view: LedgerView, tasks: readonly Pick<Entry, 'row' | 'uid'>[]): Document[] {
  const artifacts = readArtifacts(view, tasks)
  return writtenTasksOfRows(view.ws.state, tasks).map((task) => taskDocument(task, artifacts.get(task.uid) ?? []))
}

/** By the uids of their tasks. */
function readArtifacts({ ws, row }: LedgerView, tasks: readonly Pick<Entry, 'uid'>[]): Map<string, ArtifactBytes[]> {
  const uids = tasks.map(({ uid }) => uid)
  const artifacts = row.has_artifacts === 0 ? [] : artifactsOfTasks(ws.state, row.lid, uids)
  const blobs = readBlobs(ws.repo, [...new Set(artifacts.map(({ blob }) => blob))])
  const found = new Map<string, ArtifactBytes[]>()
  for (const { path, blob } of artifacts) {
    const [, uid = '', ...name] = path.split('/')
    const bytes = blobs.get(blob)
    if (bytes === undefined) continue
    const others = found.get(uid)
    if (others === undefined) found.set(uid, [{ name: name.join('/'), bytes }])
    else others.push({ name: name.join('/'), bytes })
  }
  return found
}
