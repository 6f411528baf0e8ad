import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRepo, type Place } from './place.ts'
import { runQuietly, timeOnce } from './probe.ts'
import { measured, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { times } from './table.ts'

const MOST = 1.3

/**
 * A plan in markdown with phases, keys, files, criteria and dependencies, each time into a new repository; beside an import
 * of twice as many lines.
 */
export function measurePlan(
  place: Place,
  tasks: number,
  { rounds, besideMs }: { rounds: number; besideMs: number },
): Row {
  const plan = planOf(tasks)
  const took = Array.from({ length: rounds }, (_, round) => {
    const dir = makeRepo(place, `plan-${round}`)
    writeFileSync(join(dir, 'plan.md'), plan)
    const elapsed = timeOnce({ argv: [place.gza, 'plan', 'import', 'plan.md'], cwd: dir, env: place.env })
    expectTasks(place, dir, tasks)
    rmSync(dir, { recursive: true })
    return elapsed
  })
  const { median } = summarize(took)
  const ratio = median / besideMs
  const judged = { ratio: `${times(ratio)} import`, target: `≤ ${MOST} × import`, reached: ratio <= MOST }
  return { what: 'gza plan import, one commit', tasks, ...measured(took), ...judged }
}

function planOf(tasks: number): string {
  const lines = ['# A plan for the bench', '']
  for (let number = 1; number <= tasks; number++) {
    if (number % 100 === 1) lines.push(`## Phase ${Math.ceil(number / 100)}: Part ${Math.ceil(number / 100)}`, '')
    lines.push(`### T${number}: Let module ${number} answer its callers`, '')
    lines.push(`Files to create: \`src/part-${number % 40}/module-${number}.ts\``)
    lines.push(`Tests: \`test/part-${number % 40}/module-${number}.test.ts\``)
    if (number % 3 !== 1) lines.push(`Depends on: T${number - 1}`)
    lines.push('Acceptance criteria:', `- module ${number} answers within a second`, '- its manual says so', '')
  }
  return lines.join('\n')
}

/** The plan itself is one more task, and a task that was split has parts. */
function expectTasks(place: Place, dir: string, tasks: number): void {
  const sql = 'SELECT count(*) AS n FROM tasks'
  const [row] = JSON.parse(runQuietly({ argv: [place.gza, 'query', sql, '--json'], cwd: dir, env: place.env }))
  if (row.n <= tasks) throw new Error(`${tasks} tasks and their plan should be there, and ${row.n} are`)
}
