import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type CsvTask, exportCsv } from './export-csv.ts'

const HEADER =
  'id,number,title,content,status,type,priority,group,created_at,created_by,closed_at,closed_commit,after,parent,key,' +
  'depends_on,based_on,milestone_id,acceptance_criteria,files_to_create,files_to_modify,test_files,user_story,' +
  'estimated_complexity,plan_file,project,branch,assigned_agent,linear_issue_id,create_review,same_branch,auto_review,' +
  'max_review_cycles,review_cycle,final_verdict,max_attempts,attempts,on_hold,archived,commits,notes,uid'

function aTask(more: Partial<CsvTask> = {}): CsvTask {
  const empty = Object.fromEntries(HEADER.split(',').map((column) => [column, null]))
  return { ...(empty as unknown as CsvTask), id: 'task-a3f8', number: 1, ...more }
}

/** The cells of a CSV text, read by the grammar of RFC 4180. */
function readCsv(csv: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

test('one row for each task, and every cell that needs it is quoted', () => {
  const task = aTask({
    ...{ title: '=HYPERLINK("x")', after: ['task-b4c9', 'task-c5d0'], acceptance_criteria: ['One, two', '- three'] },
    ...{ depends_on: [], archived: false, notes: ['@ann: look'] },
  })
  expect(exportCsv([task])).toBe(
    `${HEADER}\r\ntask-a3f8,1,"'=HYPERLINK(""x"")",,,,,,,,,,"task-b4c9\ntask-c5d0",,,,,,"One, two\n- three",` +
      `,,,,,,,,,,,,,,,,,,,false,,'@ann: look,\r\n`,
  )
})

test('a CSV reader returns any text unchanged, and no text can start a formula', () => {
  const anyText = fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ' ', 'a', 'ä', '＝'),
  })
  fc.assert(
    fc.property(fc.array(fc.record({ content: anyText, notes: fc.array(anyText) })), (tasks) => {
      const [header, ...table] = readCsv(exportCsv(tasks.map(aTask)))
      expect(header?.join()).toBe(HEADER)
      const cells = (column: string) =>
        table.map((row) => row[header?.indexOf(column) ?? -1]?.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, ''))
      expect(cells('content')).toEqual(tasks.map(({ content }) => content))
      expect(cells('notes')).toEqual(tasks.map(({ notes }) => notes.join('\n')))
      expect(table.flat().filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([])
    }),
  )
})
