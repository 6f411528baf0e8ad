import { diffFile } from '../../landing/review/diff-files.ts'
import { defineResource } from './resource.ts'

/** The lines of one file: `?path=`. */
export default defineResource({
  path: 'tasks/:ref/diff/file',
  read: (ws, { ref, query }) => diffFile(ws, ref, query.get('path') ?? ''),
})
