import { findByName } from '../../../workspace/search/find-by-name.ts'
import { defineResource } from '../resource.ts'

const MOST = 12

/** Tasks to choose from, by number, id, key or words of the title. */
export default defineResource({ path: 'find', read: (ws, { query }) => findByName(ws, query.get('text') ?? '', MOST) })
