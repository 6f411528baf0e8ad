import { defineResource } from '../resource.ts'

/** What was started in the page, the newest first: its pid, whether it runs, and its last lines. */
export default defineResource({ path: 'started', hasTexts: true, read: (_, { started }) => started().slice(0, 10) })
