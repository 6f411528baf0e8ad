import { readTaskOutput } from '../../runs/watch/read-outputs.ts'
import { defineResource } from './resource.ts'

/** What the agent of the newest run wrote and did. `after` is where the last reading ended. */
export default defineResource({
  path: 'tasks/:ref/log',
  read: (ws, { ref, query }) => readTaskOutput(ws, ref, query.get('after') ?? ''),
})
