import { listAllRuns } from '../../runs/watch/list-and-kill.ts'
import { defineResource } from './resource.ts'

/** What runs now, and what is left of runs whose gza has died. */
export default defineResource({ path: 'runs', read: listAllRuns })
