import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { LinearReport, LinearRow } from '../../../exchange/linear/report-sync.ts'
import type { Display } from '../../terminal/display.ts'
import { label, titleLine } from '../task-text.ts'

export function* renderLinear(report: LinearReport, display: Display): Iterable<string> {
  for (const row of report.created) yield line(row, '+', row.issue ?? 'new', display)
  for (const row of report.updated) yield line(row, '→', `${row.issue}: ${row.detail}`, display)
  for (const row of report.pulled) yield line(row, '←', `${row.issue}: ${row.detail}`, display)
  const made = [
    ...counted(report.projects.length, 'project'),
    ...counted(report.milestones.length, 'milestone'),
    ...counted(report.labels.length, 'label'),
    ...counted(report.relations, 'relation'),
  ]
  if (made.length > 0) yield `${report.dry_run ? 'Would make' : 'Made'} ${made.join(', ')}`
  const { created, updated, pulled } = report
  const verb = report.dry_run ? 'Would create' : 'Created'
  yield `${verb} ${plural(created.length, 'issue')} in ${printable(report.team)}, updated ${updated.length}, pulled ${pulled.length}`
}

/** Printed on stderr. */
export function* renderLinearProblems({ left, failed }: LinearReport): Iterable<string> {
  for (const { id, detail } of left) yield `${id} is not changed: ${printable(detail)}`
  for (const { id, what, detail } of failed) yield `${id ?? 'Linear'}: ${what} was refused: ${printable(detail)}`
}

function line(row: LinearRow, sign: string, what: string, display: Display): string {
  return titleLine(
    { title: row.title },
    { prefix: `${sign} ${label(row, display)}`, suffix: `(${printable(what)})` },
    display,
  )
}

function counted(count: number, noun: string): string[] {
  return count === 0 ? [] : [plural(count, noun)]
}
