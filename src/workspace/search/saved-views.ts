import type { GivenFilter } from '../../core/filter/given-filter.ts'
import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { configuredViews } from '../config/configuration.ts'
import type { Workspace } from '../workspace.ts'

/** The filter that is saved under this name, as a line. */
async function savedView(ws: Workspace, name: string): Promise<string> {
  const views = await configuredViews(ws)
  const line = Object.hasOwn(views, name) ? views[name] : undefined
  if (line !== undefined) return line
  const names = Object.keys(views)
  throw new UserError('NO_SUCH_VIEW', `No view is named '${name}'`, {
    hint:
      names.length === 0
        ? sentence`Save one below views in gza.yaml, or search for words: ${command`search ${name}`}`
        : sentence`Views: ${names.join(', ')}. Words are found by ${command`search ${name}`}`,
    exitCode: 2,
  })
}

/** A filter with the line of the view that it names. */
export async function withSavedView<T extends GivenFilter>(ws: Workspace, given: T): Promise<T> {
  return given.view === undefined ? given : { ...given, view: await savedView(ws, given.view) }
}

/** The names of the saved filters. */
export async function savedViews(ws: Workspace): Promise<string[]> {
  return Object.keys(await configuredViews(ws))
}
