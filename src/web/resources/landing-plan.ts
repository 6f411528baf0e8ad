import { planMerge } from '../../landing/merge-tasks.ts'
import { defineResource } from './resource.ts'

/** What would land, as `gza merge --dry-run`. `refs`: numbers, separated by commas; without it everything. */
export default defineResource({
  path: 'landing/plan',
  read: (ws, { query }) => {
    const refs = (query.get('refs') ?? '').split(',').filter(Boolean)
    return planMerge(ws, refs.length === 0 ? { refs, all: true } : { refs })
  },
})
