import { besideFile } from '../../core/ledger/file-layout.ts'
import type { FileContent } from '../../core/ledger/import-stream.ts'
import { type Artifact, artifactsOf } from '../../state/index/ledger-files.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'

/** Artifacts of another ledger of this repository. A text never changes: another one of the same name is put beside it. */
export function addArtifacts({ ws, row }: LedgerView, found: readonly Artifact[]): Map<string, FileContent> {
  const mine = new Map(artifactsOf(ws.state, row.lid).map(({ path, blob }) => [path, blob]))
  const files = new Map<string, FileContent>()
  for (const { path, blob } of found) {
    const own = mine.get(path)
    if (own === blob) continue
    const name = own === undefined ? path : besideFile(path, blob)
    if (mine.has(name)) continue
    mine.set(name, blob)
    files.set(name, { blob })
  }
  return files
}
