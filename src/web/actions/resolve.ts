import { z } from 'zod'
import { UserError } from '../../core/user-error.ts'
import { readInbox } from '../../reports/read-inbox.ts'
import { redactShown } from '../../runs/watch/redact-shown.ts'
import { RESOLUTIONS, resolveInboxEntry } from '../../scheduler/resolve-inbox-entry.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { defineAction } from './action.ts'

/** `detail`: of an entry without a task, what it said when the person saw it. */
export default defineAction({
  name: 'resolve',
  input: {
    /** The name of a task, or the subject of another entry, which may be a path. */
    ref: z.string().min(1).max(5000),
    resolution: z.enum(RESOLUTIONS),
    commit: z.string().max(200).optional(),
    detail: z.string().max(100_000).optional(),
  },
  act: async (ws, { ref: task, resolution, commit, detail }) => {
    if (detail !== undefined) await refuseOther(ws, task, detail)
    return resolveInboxEntry(ws, task, { resolution, ...(commit !== undefined && { commit }) })
  },
})

async function refuseOther(ws: Workspace, subject: string, detail: string): Promise<void> {
  const entries = (await readInbox(ws)).filter((item) => item.task === null && item.subject === subject)
  const redact = await redactShown(ws)
  if (entries.some((item) => redact(item.detail) === detail)) return
  const now = entries.map((item) => redact(item.detail)).join('; ')
  const state = now === '' ? 'it is no longer there' : `now it says: ${now}`
  throw new UserError('CHANGED_SINCE', `The entry ${subject} has changed since you looked at it: ${state}`, {
    hint: 'Nothing was done. Look at it again, then decide.',
  })
}
