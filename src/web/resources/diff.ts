import { diffFiles } from '../../landing/review/diff-files.ts'
import { defineResource } from './resource.ts'

/** What a task changes: all files, small ones with their lines. */
export default defineResource({
  path: 'tasks/:ref/diff',
  read: (ws, { ref }) => diffFiles(ws, ref),
})
