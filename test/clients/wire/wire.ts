import type { Step } from '../model-script.ts'

/** One vendor's way of asking a model and of answering. */
export interface Wire {
  isFor(path: string): boolean
  /** How many results of tools the conversation holds. */
  results(body: unknown): number
  /** The names of the tools that the client offers. */
  offered(body: unknown): string[]
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
