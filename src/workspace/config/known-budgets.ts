import { BUILT_IN } from '../../core/config/built-in.ts'
import type { Budgets } from '../../core/config/settings.ts'
import { UserError } from '../../core/user-error.ts'
import type { Workspace } from '../workspace.ts'
import { loadConfiguration } from './configuration.ts'

/** Only for display: a mistake elsewhere in the configuration must not prevent it. */
export async function knownBudgets(ws: Workspace): Promise<Budgets> {
  try {
    return (await loadConfiguration(ws)).budgets
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return BUILT_IN.budgets
  }
}
