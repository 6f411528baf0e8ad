import { z } from 'zod'
import type { AgentEvent } from '../../agents/agent.ts'

export type { AgentEvent }

/** The events that a log stored with a line. Unknown events of a later release are left out. */
export function loggedEvents(kept: unknown): AgentEvent[] {
  if (!Array.isArray(kept)) return []
  return kept.flatMap((event) => {
    const known = EVENT.safeParse(event)
    return known.success ? [known.data] : []
  })
}

const EVENT = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), id: z.string() }),
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('tool'), name: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('denied'), name: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('turn'), count: z.number() }),
  z.object({ kind: z.literal('tokens'), input: z.number(), output: z.number() }),
  z.object({ kind: z.literal('cost'), usd: z.number() }),
  z.object({
    kind: z.literal('limit'),
    resetsAt: z.string().nullable(),
    message: z.string(),
    ofModel: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('result'),
    ok: z.boolean(),
    text: z.string(),
    reason: z.string().nullable(),
    turns: z.number().nullable(),
  }),
  z.object({
    kind: z.literal('error'),
    message: z.string(),
    code: z.enum(['auth', 'limit', 'overloaded', 'max-turns', 'max-cost', 'other']),
  }),
]) satisfies z.ZodType<AgentEvent>
