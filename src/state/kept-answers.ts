/** What git answered before: asking it takes a process. */
import { insertInto } from './describe-table.ts'
import { ANSWERS } from './index/index-tables.ts'
import type { State } from './index/open-state.ts'

export function keptAnswer(db: State, state: string): unknown {
  const row = db.query('SELECT answer FROM answers WHERE state = ?').get(state) as { answer: string } | null
  return row === null ? null : JSON.parse(row.answer)
}

/** Each worktree and each environment has its own; those of earlier configurations are of no use any more. */
const MOST = 50

export function keepAnswer(db: State, state: string, answer: unknown): void {
  const { count } = db.query('SELECT count(*) AS count FROM answers').get() as { count: number }
  if (count >= MOST) db.run('DELETE FROM answers')
  db.query(insertInto(ANSWERS, 'INSERT OR REPLACE')).run(state, JSON.stringify(answer))
}
