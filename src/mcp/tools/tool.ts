import { z } from 'zod'
import type { Sentence } from '../../core/sentence.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** One tool: what a client is shown of it, and the use case that it calls. */
export interface Tool {
  name: string
  description: string
  input: z.ZodObject
  /** Arguments that are valid: part of the answer if others were not. */
  example: Readonly<Record<string, unknown>>
  /** What is done must not be done again because the index was found damaged meanwhile. */
  runsOnce: boolean
  /** `say`: how a text with commands is worded for the client. */
  call(ws: Workspace, input: never, say: Say): unknown
}

export type Say = (sentence: Sentence) => string

interface Definition<SHAPE extends z.ZodRawShape> {
  name: string
  description: string
  input: SHAPE
  example: Readonly<Record<string, unknown>>
  runsOnce?: boolean
  call(ws: Workspace, input: z.infer<z.ZodObject<SHAPE>>, say: Say): unknown
}

export function defineTool<SHAPE extends z.ZodRawShape>(definition: Definition<SHAPE>): Tool {
  return { runsOnce: false, ...definition, input: z.strictObject(definition.input) }
}

/** The task that is meant: the same words everywhere, so that a client learns them once. */
export const ref = z.string().describe('Number, id, id prefix or key')

const MOST_ROWS = 100

/** Rows come a page at a time. */
export const paging = {
  limit: z.int().min(1).max(MOST_ROWS).optional().describe('Default 20'),
  cursor: z.string().optional(),
}

export interface Paging {
  limit?: number | undefined
  cursor?: string | undefined
}

/** The schema of the arguments without what tells a model nothing: each word is in the context of every session. */
export function inputSchema({ input }: Tool): { type: 'object'; [key: string]: unknown } {
  return lean(z.toJSONSchema(input)) as { type: 'object' }
}

function lean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lean)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => key !== '$schema' && key !== 'additionalProperties')
  return Object.fromEntries(kept.map(([key, each]) => [key, lean(each)]))
}
