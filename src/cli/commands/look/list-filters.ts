import type { GivenFilter } from '../../../core/filter/given-filter.ts'
import { UserError } from '../../../core/user-error.ts'
import { withSavedView } from '../../../workspace/search/saved-views.ts'
import type { ListOptions } from '../../../workspace/views/list-tasks.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { searchProgress } from '../../terminal/search-progress.ts'

/** What a list is filtered by: the flags, and a saved filter of which only the name is given. */
export async function filtersOf(
  context: CallContext,
  flags: GlobalFlags & GivenFilter,
  argument: string | undefined,
): Promise<Pick<ListOptions, 'filter' | 'progress'>> {
  const { status, type, group, agent, priority, milestone, since, file, text, not } = flags
  if (argument !== undefined && flags.view !== undefined)
    throw new UserError('USAGE', 'Two views are given', { hint: 'Name one of them.', exitCode: 2 })
  const given = {
    status,
    type,
    group,
    agent,
    priority,
    milestone,
    since,
    file,
    text,
    not,
    view: argument ?? flags.view,
  }
  const read = () => inWorkspace(context, flags, (ws) => withSavedView(ws, given), { spansLedgers: true })
  const filter = given.view === undefined ? given : await read()
  const mayHaveWords = [text, not, given.view].some((each) => each !== undefined)
  return mayHaveWords ? { filter, ...(await searchProgress(context)) } : { filter }
}
