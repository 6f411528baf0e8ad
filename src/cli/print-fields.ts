import type { Workspace } from '../workspace/workspace.ts'
import type { CallContext } from './call-context.ts'
import { type RowKind, readFields } from './flags/field-names.ts'
import type { OutputFlags } from './flags/output-flags.ts'
import { cellText, renderColumns } from './render/columns.ts'
import { limitRows, openRowCut, reportLeft } from './terminal/cut-rows.ts'
import type { ProgramName } from './terminal/display.ts'
import { printPage } from './terminal/page.ts'
import { printJsonList, printLines, shapeFor } from './terminal/print.ts'

interface FieldRows {
  kind: RowKind
  read(ws: Workspace): Iterable<object> | Promise<Iterable<object>>
  spansLedgers?: boolean
}

/** Prints the fields that --fields names: as columns, or as objects with these keys. */
export async function printFields(context: CallContext, flags: OutputFlags, rows: FieldRows): Promise<void> {
  const names = readFields(rows.kind, flags.fields ?? '')
  const cut = await printPage(
    context,
    flags,
    async (ws, page) => {
      const found = await rows.read(ws)
      const taken = openRowCut(context, flags.limit)
      if (flags.json)
        printJsonList(page, picked(limitRows(found, flags.limit), names, context.display.name), context.display.name)
      else printLines(page, renderColumns(names, cells(taken.take(found), names), context.display))
      return taken
    },
    { spansLedgers: rows.spansLedgers ?? false },
  )
  reportLeft(context, cut)
}

function* picked(
  rows: Iterable<object>,
  names: readonly string[],
  program: ProgramName,
): Iterable<Record<string, unknown>> {
  for (const row of rows) yield pickFields(shapeFor(program, row) as object, names)
}

/** A field that a row does not have is null: every row has the same keys. */
export function pickFields(row: object, names: readonly string[]): Record<string, unknown> {
  const values = row as Record<string, unknown>
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
}

function* cells(rows: Iterable<object>, names: readonly string[]): Iterable<string[]> {
  for (const row of rows) yield names.map((name) => cellText((row as Record<string, unknown>)[name]))
}
