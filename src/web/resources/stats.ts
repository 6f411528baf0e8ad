import { readStats } from '../../reports/read-stats.ts'
import { defineResource } from './resource.ts'

/** `days`: only the last so many. */
export default defineResource({
  path: 'stats',
  read: (ws, { query }) => {
    const days = Number(query.get('days'))
    return readStats(ws, Number.isSafeInteger(days) && days > 0 ? { days } : {})
  },
})
