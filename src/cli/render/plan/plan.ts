import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { PlanImport, PlanRow, RowDependency } from '../../../planning/import/view-import.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, padTo, widthOf } from '../../terminal/fit-to.ts'
import { fieldChange } from './field-change.ts'

/** The imported tree, or the one that would be: milestones, tasks with scores, parts and dependencies. */
export function* renderPlan(result: PlanImport, display: Display): Iterable<string> {
  yield `${display.style.bold(printable(result.title))} (${printable(result.plan_file)})`
  const depths = depthsOf(result.tasks)
  const width = Math.max(...result.tasks.map((row) => (depths.get(row) ?? 0) * 2 + widthOf(keyOf(row))))
  let milestone: string | null = null
  for (const row of result.tasks) {
    if (row.milestone_id !== milestone && row.parent_key === null) {
      milestone = row.milestone_id
      yield milestoneLine(result, milestone, display)
    }
    yield* rowLines(row, { depth: depths.get(row) ?? 0, width }, display)
  }
  for (const { key, title, number, status } of result.gone)
    yield `  ${printable(key ?? '')}  ${printable(title)}  (#${number} is ${status}; it is no longer in the plan and is kept)`
  yield ''
  yield summary(result)
}

export function* renderPlanWarnings({ warnings }: PlanImport): Iterable<string> {
  for (const warning of warnings) yield `Warning: ${printable(warning)}`
}

function depthsOf(rows: readonly PlanRow[]): Map<PlanRow, number> {
  const byKey = new Map<string | null, number>()
  return new Map(
    rows.map((row) => {
      const depth = row.parent_key === null ? 0 : (byKey.get(row.parent_key) ?? 0) + 1
      byKey.set(row.key, depth)
      return [row, depth]
    }),
  )
}

function milestoneLine({ milestones }: PlanImport, id: string | null, display: Display): string {
  if (id === null) return display.style.bold('Without a milestone')
  const name = milestones.find((milestone) => milestone.id === id)?.name
  return display.style.bold(printable(name === undefined || name === id ? id : `${id} ${name}`))
}

function* rowLines(
  row: PlanRow,
  { depth, width }: { depth: number; width: number },
  display: Display,
): Iterable<string> {
  const margin = '  '.repeat(depth + 1)
  const key = padTo(keyOf(row), width - depth * 2)
  const score = row.score === null ? '' : `  ${row.score.total.toFixed(1)} ${row.score.level}`
  const state = stateOf(row)
  const title = fitTo(printable(row.title), widthOf(margin + key + score + state) + 2, display)
  yield `${margin}${display.style.yellow(key)}  ${title}${display.style.dim(score)}${state}`
  const below = `${margin}${' '.repeat(widthOf(key))}  `
  if (row.split) yield display.style.dim(`${below}split by ${row.split.strategy} into ${row.split.parts.join(', ')}`)
  if (row.dependencies.length > 0) yield display.style.dim(`${below}after ${row.dependencies.map(nameOf).join(', ')}`)
  for (const change of row.changes) yield display.style.dim(`${below}${fieldChange(change)}`)
}

function keyOf(row: PlanRow): string {
  return printable(row.key ?? '')
}

function nameOf({ key, id, number, origin, files }: RowDependency): string {
  const name = printable(key ?? (number === null ? (id ?? '?') : `#${number}`))
  if (origin === 'explicit') return name
  return origin === 'file' ? `${name} (file: ${printable(files.join(', '))})` : `${name} (split)`
}

function stateOf({ state, status, number }: PlanRow): string {
  const at = number === null ? '' : `#${number} `
  switch (state) {
    case 'new':
      return status === 'pending' ? '' : `  ${status}`
    case 'known':
      return `  (${at}exists)`
    case 'changed':
      return `  (${at}differs)`
    case 'updated':
      return `  (${at}updated)`
    case 'closed':
      return `  (${at}is ${status} and is not changed)`
    case 'replaced':
      return `  (${at}was replaced)`
    case 'deleted':
      return `  (${at}was deleted)`
    default:
      return state satisfies never
  }
}

function summary(result: PlanImport): string {
  const [imported, updated, replaced] = result.dry_run
    ? ['Would import', 'update', 'replace']
    : ['Imported', 'updated', 'replaced']
  const parts = [`${imported} ${plural(result.created_count, 'task')}`]
  if (result.updated_count > 0) parts.push(`${updated} ${result.updated_count}`)
  if (result.replaced_count > 0) parts.push(`${replaced} ${result.replaced_count}`)
  const changed = result.tasks.filter(({ state }) => state === 'changed').length
  if (changed > 0)
    parts.push(`${changed === 1 ? '1 differs' : `${changed} differ`} from the plan (--update applies the changes)`)
  return parts.join(', ')
}
