import { join } from 'node:path'
import { z } from 'zod'
import { readTextIfThere, writeText } from '../../platform/files/files.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { SyncMemory } from './sync-task.ts'

const schema = z.record(
  z.string(),
  z.object({
    ours: z.enum(['pending', 'in_progress', 'completed', 'failed', 'skipped']),
    theirs: z.enum(['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled', 'duplicate']),
    sent: z.string(),
  }),
)

/** The state of tasks and issues at the last sync from here. It may be lost, like all state. */
export function readSyncMemory(ws: Workspace): SyncMemory {
  try {
    return new Map(Object.entries(schema.parse(JSON.parse(readTextIfThere(pathIn(ws)) ?? '{}'))))
  } catch {
    return new Map()
  }
}

export function writeSyncMemory(ws: Workspace, memory: SyncMemory): void {
  writeText(pathIn(ws), `${JSON.stringify(Object.fromEntries(memory))}\n`)
}

function pathIn({ repo }: Workspace): string {
  return join(repo.commonDir, 'gza', 'linear.json')
}
