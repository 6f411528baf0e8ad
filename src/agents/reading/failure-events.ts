import type { AgentEvent, ErrorCode } from '../agent.ts'
import { classifyFailure } from './classify-failure.ts'
import { momentNamed } from './limit-reset.ts'

export interface Failure {
  message: string
  /** The HTTP status, if the client reports it in a separate field. */
  status?: number | null
  /** The error code, if the client reports it itself. */
  code?: ErrorCode | null
  resetsAt?: string | null
  /** A usage limit is that of the model, not of the whole account. */
  ofModel?: boolean
}

/** A failure as events: first the limit, if it is one, then the error. */
export function failureEvents(failure: Failure): AgentEvent[] {
  const message = failure.message.slice(0, LONGEST)
  const code = failure.code ?? classifyFailure(failure.message, failure.status)
  const error: AgentEvent = { kind: 'error', message, code }
  if (code !== 'limit') return [error]
  const resetsAt = failure.resetsAt ?? momentNamed(failure.message)
  return [{ kind: 'limit', resetsAt, message, ...(failure.ofModel && { ofModel: true }) }, error]
}

/**
 * Long enough for a provider's answer, for the reset time in it to be read later, and for the caller to cut it again
 * after secrets were removed: half of a secret would not be recognized.
 */
const LONGEST = 8000
