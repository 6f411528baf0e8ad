import { noticeLeftTasks } from '../../../tasks/move/notice-left-tasks.ts'
import { listTasks, listTaskViews } from '../../../workspace/views/list-tasks.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext } from '../../call-context.ts'
import type { OutputFlags } from '../../flags/output-flags.ts'
import { emptyList, NOTHING_MATCHES, renderList } from '../../render/look/list.ts'
import { openRowCut, reportLeft } from '../../terminal/cut-rows.ts'
import { type Page, printPage } from '../../terminal/page.ts'
import { printJsonList, printLines } from '../../terminal/print.ts'

interface Flags extends OutputFlags {
  status?: string
  all: boolean
  'all-branches': boolean
  group?: string
  type?: string
  agent?: string
  priority?: string
  milestone?: string
  since?: string
  file?: string
  text?: string
  not?: readonly string[]
  view?: string
}

export default async function list(this: CallContext, flags: Flags, view?: string): Promise<void> {
  const { all, limit } = flags
  const allBranches = flags['all-branches']
  const isFiltered = view !== undefined || hasFilter(flags)
  const filtering = isFiltered ? await filters().then(({ filtersOf }) => filtersOf(this, flags, view)) : {}
  const options = { ...filtering, all, allBranches, limit }
  if (flags.fields !== undefined) {
    const { printFields } = await import('../../print-fields.ts')
    const read = (ws: Workspace) => listTaskViews(ws, options)
    return printFields(this, flags, { kind: 'task', read, spansLedgers: allBranches })
  }
  const print = (ws: Workspace, page: Page) => {
    if (!allBranches) noticeLeftTasks(ws)
    const cut = openRowCut(this, limit)
    if (flags.json) printJsonList(page, listTaskViews(ws, options), this.display.name)
    const lines = () => renderList(cut.take(listTasks(ws, options)), this.display, { ledgers: allBranches })
    return { isEmpty: !flags.json && printLines(page, lines()) === 0, ledger: allBranches ? null : ws.ledger, cut }
  }
  const { isEmpty, ledger, cut } = await printPage(this, flags, print, { spansLedgers: allBranches })
  reportLeft(this, cut)
  if (!isEmpty) return
  this.err.write(`${ledger === null || isFiltered ? NOTHING_MATCHES : emptyList(ledger, this.display)}\n`)
}

function hasFilter({ status, group, type, agent, priority, milestone, since, file, text, not, view }: Flags): boolean {
  const given = status ?? group ?? type ?? agent ?? priority ?? milestone ?? since ?? file ?? text ?? not ?? view
  return given !== undefined
}

/** Loaded only for lists with a filter. */
function filters(): Promise<typeof import('./list-filters.ts')> {
  return import('./list-filters.ts')
}
