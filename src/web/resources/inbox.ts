import { readInbox } from '../../reports/read-inbox.ts'
import { reasonOf } from '../../scheduler/inbox/inbox-reasons.ts'
import { defineResource } from './resource.ts'

/** What needs a person, each with its reason as a sentence. */
export default defineResource({
  path: 'inbox',
  read: async (ws) => (await readInbox(ws)).map((item) => ({ ...item, reason: reasonOf(item.code) })),
})
