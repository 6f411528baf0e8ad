/** A server inside a box cannot see the repository. What it is asked goes through the broker to a gza outside. */
import { z } from 'zod'
import { UserError } from '../core/user-error.ts'
import { callBroker } from '../engine/isolation/broker/call-broker.ts'
import { type Answer, answer, type Place, type Request } from './answer.ts'
import { answeredError } from './errors.ts'

/** What a client can ask. Its claims need no care here: a run has its task. */
const REQUEST = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tool'), name: z.string(), input: z.unknown() }),
  z.object({ kind: z.literal('resources'), cursor: z.string().optional() }),
  z.object({ kind: z.literal('resource'), uri: z.string() }),
])

const ANSWER = z.union([
  z.object({ value: z.record(z.string(), z.unknown()) }),
  z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string().nullable() }) }),
])

/** Inside the box. */
export async function askBroker(env: Place['env'], request: Request): Promise<Answer> {
  if (!REQUEST.safeParse(request).success) return { value: {} }
  try {
    const call = { argv: ['__mcp'], stdin: JSON.stringify(request), name: 'gza' as const, width: null, coloured: false }
    const { out, err } = await callBroker(env, call)
    return readAnswer(out) ?? { error: answeredError(noAnswer(err)) }
  } catch (error) {
    return { error: answeredError(error) }
  }
}

function readAnswer(text: string): Answer | null {
  try {
    return ANSWER.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function noAnswer(printed: string): UserError {
  return new UserError(
    'NO_ANSWER',
    `gza gave no answer outside of the box: ${printed.trim() || 'it printed nothing'}`,
    {
      hint: 'Ask for less, or continue without it.',
    },
  )
}

/** Outside of it. */
export async function answerBoxed(place: Place, text: string): Promise<Answer> {
  const request = REQUEST.safeParse(readJson(text))
  if (request.success) return answer(place, request.data as Request, undefined)
  return { error: answeredError(new UserError('BAD_REQUEST', 'The request of the server cannot be read')) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
