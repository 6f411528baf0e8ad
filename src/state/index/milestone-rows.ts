import type { Entry } from './find-entries.ts'
import type { State } from './open-state.ts'

export type MilestoneRow = Pick<Entry, 'uid' | 'id' | 'key' | 'parent' | 'status' | 'unmet' | 'running_on'> & {
  milestone_id: string
}

/** The tasks that belong to a milestone, as filed; archived ones too, because a milestone's past is part of it. */
export function milestoneRows(db: State, lid: number): MilestoneRow[] {
  return db
    .query(
      `SELECT e.uid, e.id, e.key, e.parent, e.status, e.unmet, e.running_on,
      json_extract(l.line, '$.milestone_id') AS milestone_id
      FROM entries e CROSS JOIN lines l USING (row)
      WHERE e.lid = ? AND e.deleted = 0 AND instr(l.line, '"milestone_id"') > 0
      AND json_extract(l.line, '$.milestone_id') > '' ORDER BY e.place`,
    )
    .all(lid) as MilestoneRow[]
}
