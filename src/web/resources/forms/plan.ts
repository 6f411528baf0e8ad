import { planWork } from '../../../scheduler/choose/plan-work.ts'
import { defineResource } from '../resource.ts'

/** What `work --dry-run` says: what would run, in which order, and why other tasks would not. */
export default defineResource({
  path: 'plan',
  read: (ws, { query }) => {
    const refs = query.getAll('ref')
    const [agent, workers] = [query.get('agent'), Number(query.get('workers'))]
    return planWork(ws, {
      ...{ refs, all: refs.length === 0 },
      ...(agent && { agent }),
      ...(workers > 0 && { workers: Math.min(64, Math.floor(workers)) }),
    })
  },
})
