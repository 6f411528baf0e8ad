import { taskHistory } from '../../../workspace/ledger/task-history.ts'
import { defineResource } from '../resource.ts'

/** The ledger commits that changed a task, the newest first. */
export default defineResource({
  path: 'tasks/:ref/history',
  hasTexts: true,
  read: (ws, { ref }) => taskHistory(ws, ref, { limit: 200 }),
})
