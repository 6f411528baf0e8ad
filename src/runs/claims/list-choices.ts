import { PRIORITIES, TASK_TYPES } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { assertTrusted } from '../../workspace/config/trust-config.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { listGroups } from '../../workspace/views/groups/list-groups.ts'
import { listMilestones } from '../../workspace/views/groups/list-milestones.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { assignableNames } from './register-agent.ts'

/** What the fields of a form can be set to. */
export interface FormChoices {
  types: readonly string[]
  priorities: readonly string[]
  groups: string[]
  milestones: { id: string; name: string | null }[]
  /** Every name that a task can be assigned to. */
  agents: string[]
  /** The filters that gza.yaml has saved, by name. */
  views: { name: string; line: string }[]
  /** How many tasks run at once unless somebody says otherwise. */
  workers: number
  /** Why no work can be started here; null: the configuration is trusted. */
  not_trusted: UserError | null
}

export async function listChoices(ws: Workspace): Promise<FormChoices> {
  const config = await loadConfiguration(ws)
  return {
    ...{ types: TASK_TYPES, priorities: PRIORITIES },
    groups: listGroups(ws).flatMap(({ group }) => group ?? []),
    milestones: listMilestones(ws).flatMap(({ id, name }) => (id === null ? [] : [{ id, name: name ?? null }])),
    agents: assignableNames(readLedger(ws), config),
    views: Object.entries(config.views).map(([name, line]) => ({ name, line })),
    workers: config.parallel_workers,
    not_trusted: await assertTrusted(ws, config).then(() => null, refused),
  }
}

function refused(error: unknown): UserError {
  if (error instanceof UserError) return error
  throw error
}
