import { readOutputs } from '../../runs/watch/read-outputs.ts'
import { defineResource } from './resource.ts'

/** More agents than a machine can run. */
const MOST_RUNS = 100

/** The new output of several runs at once: `run` and `after` are given once for each, in the same order. */
export default defineResource({
  path: 'output',
  read: (ws, { query }) => {
    const after = query.getAll('after')
    const places = query.getAll('run').map((run, at) => ({ run, after: after[at] ?? '' }))
    return readOutputs(ws, places.slice(0, MOST_RUNS))
  },
})
