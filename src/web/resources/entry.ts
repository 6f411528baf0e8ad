import { readEntry } from '../../scheduler/inbox/read-entry.ts'
import { defineResource } from './resource.ts'

/** What a person needs to decide about a task in the inbox. */
export default defineResource({ path: 'tasks/:ref/entry', read: (ws, { ref }) => readEntry(ws, ref) })
