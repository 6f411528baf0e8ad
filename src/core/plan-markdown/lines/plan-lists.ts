import { labelOfList } from './labelled-lists.ts'
import type { Outline } from './outline-model.ts'
import type { PlanLine } from './plan-lines.ts'
import { isTaskSection } from './section-names.ts'

/** Items of one list, with nothing but blank lines and their own text between them. */
export interface PlanList {
  items: number[]
  /** The item that contains them; -1 if there is none. */
  around: number
  /** A line such as `Before you begin:` introduces them, and it does not call them tasks. */
  isIntroduced: boolean
  /** A line such as `Tasks:` introduces them. */
  isTasks: boolean
}

/** All lists of the plan, outer ones before those within them. */
export function listsOf({ lines }: Pick<Outline, 'lines'>): PlanList[] {
  const lists: PlanList[] = []
  const open: OpenList[] = []
  let last: PlanLine | null = null
  let wasBlank = false
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'heading' || line.kind === 'rule' || line.kind === 'table') open.length = 0
    if (line.kind === 'text' && wasBlank) while ((open.at(-1)?.indent ?? -1) >= line.indent) open.pop()
    if (line.kind === 'item') {
      while ((open.at(-1)?.indent ?? -1) > line.indent + INDENT_TOLERANCE) open.pop()
      const beside = open.at(-1)
      if (beside && line.indent <= beside.indent + INDENT_TOLERANCE) beside.list.items.push(at)
      else {
        const label = labelBefore(last)
        const isTasks = label !== undefined && isTaskSection(label)
        const isIntroduced = label !== undefined && !isTasks
        const list = { items: [at], around: beside?.list.items.at(-1) ?? -1, isIntroduced, isTasks }
        lists.push(list)
        open.push({ indent: line.indent, list })
      }
    }
    wasBlank = line.kind === 'blank'
    if (!wasBlank) last = line
  }
  return lists
}

/** ` 9.` and `10.` are in one list. */
const INDENT_TOLERANCE = 1

interface OpenList {
  indent: number
  list: PlanList
}

function labelBefore(line: PlanLine | null): string | undefined {
  if (line?.kind !== 'text') return undefined
  return labelOfList(line.text) ?? (line.text.endsWith(':') ? line.text : undefined)
}
