import { z } from 'zod'
import { RESOLUTIONS, resolveInboxEntry } from '../../scheduler/resolve-inbox-entry.ts'
import { defineAction, ref } from './action.ts'

export default defineAction({
  name: 'resolve',
  input: { ref, resolution: z.enum(RESOLUTIONS), commit: z.string().max(200).optional() },
  act: (ws, { ref: task, resolution, commit }) =>
    resolveInboxEntry(ws, task, { resolution, ...(commit !== undefined && { commit }) }),
})
