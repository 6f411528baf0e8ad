import type { AgentEvent } from '../agent.ts'
import { anyOf } from './any-of.ts'
import { classifyFailure } from './classify-failure.ts'
import { failureEvents } from './failure-events.ts'

/**
 * The meaning of a line that is not an event. Clients print plain text when they cannot start; agents print anything,
 * including tests of rate limiters, so only whole lines with a client's own wording count.
 */
export function readPlainLine(line: string): AgentEvent[] {
  if (line.length > LONGEST) return []
  const message = line.trim()
  if (!OWN_WORDS.test(message.replace(DECORATION, ''))) return []
  const code = classifyFailure(message)
  return code === 'limit' || code === 'auth' ? failureEvents({ message, code }) : []
}

const LONGEST = 1000

/** `✗ Execution failed: …`, `■ Error: …` */
const DECORATION = /^\W{0,4}(?:(?:Error|Execution failed): )?/

const OWN_WORDS = anyOf(
  /^(?:Claude (?:AI )?usage limit reached|(?:5-hour|weekly|session) limit reached)\b/,
  /^You['’]ve hit your (?:[\w-]+ ){0,3}limit\b/,
  /^You have exhausted your (?:daily quota|capacity)\b/,
  /^(?:402 You have no quota|Credit balance is too low)\b/,
  /^(?:Invalid API key|Not logged in|Please set an Auth method)\b/,
)
