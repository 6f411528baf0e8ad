import type { OfferedTool, Step } from '../model-script.ts'

/** One vendor's way of asking a model and of answering. */
export interface Wire {
  isFor(path: string): boolean
  /** How many results of tools the conversation holds. */
  results(body: unknown): number
  /** The tools that the client offers. */
  tools(body: unknown): OfferedTool[]
  answer(ask: { path: string; body: unknown }, step: Step): Response
  refuse(status: number): unknown
}

/** Server-sent events, all at once. */
export function eventStream(list: readonly { event?: string; data: unknown }[]): Response {
  const lines = list.map(({ event, data }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
  })
  return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } })
}

type TypedEvent = { type: string } & Record<string, unknown>

/** Events that are named after their `type`. */
export function typedEvents(list: readonly TypedEvent[]): Response {
  return eventStream(list.map((data) => ({ event: data.type, data })))
}

export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`
}

/** The cost of each answer, as the client gets it. */
export const TOKENS = { input: 100, output: 10 }

/** All texts of a request, without the tools and without what the model wrote itself. */
export function textsIn(value: unknown): string {
  if (typeof value === 'string') return `${value}\n`
  if (Array.isArray(value)) return value.map(textsIn).join('')
  if (typeof value !== 'object' || value === null) return ''
  const { type, role } = value as Record<string, unknown>
  if (OWN_TYPES.has(String(type)) || OWN_ROLES.has(String(role))) return ''
  const kept = Object.entries(value).filter(([key]) => key !== 'tools')
  return kept.map(([, each]) => textsIn(each)).join('')
}

const OWN_TYPES = new Set(['tool_use', 'function_call'])
const OWN_ROLES = new Set(['assistant', 'model'])
