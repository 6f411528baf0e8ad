/**
 * What gza inside a box and the broker outside say to each other, once for each connection: the broker says that it is
 * ready, gza sends its request, and the broker answers. A busy broker reports that instead, and nothing was asked yet.
 */
import { z } from 'zod'
import { decodeUtf8 } from '../../../core/text/decode-utf8.ts'

export const MOST_REQUEST_BYTES = 64 * 1024
export const MOST_ANSWER_BYTES = 1024 * 1024
const MOST_ARGUMENTS = 256
const WIDEST = 10_000

export const READY = { ready: true } as const

/** The variables by which gza inside a box finds its broker. */
export const BROKER_PATH = 'GZA_BROKER'
export const BROKER_TOKEN = 'GZA_BROKER_TOKEN'

const word = z.string().refine((text) => !text.includes('\0'))

const REQUEST = z.object({
  v: z.literal(1),
  token: z.string(),
  argv: z.array(word).max(MOST_ARGUMENTS),
  stdin: z.string().optional(),
  name: z.enum(['gza', 'git-tasks']).default('gza'),
  width: z.number().int().min(1).max(WIDEST).nullable().default(null),
  coloured: z.boolean().default(false),
})

export type Request = z.infer<typeof REQUEST>

const REFUSAL = z.object({ code: z.string(), message: z.string(), hint: z.string() })

const SAID = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ exit: z.number().int().min(0).max(255), out: z.string(), err: z.string() }),
  z.object({ refused: REFUSAL }),
])

/** How the call ended, or why the broker did not make it. */
export type Answer = Exclude<Said, typeof READY>
type Said = z.infer<typeof SAID>
export type Refusal = z.infer<typeof REFUSAL>

/** Null: this broker does not understand it. */
export function readRequest(body: Uint8Array): Request | null {
  return REQUEST.safeParse(readJson(body)).data ?? null
}

/** What the broker says; null if it is nothing that this gza understands. */
export function readSaid(body: Uint8Array): Said | null {
  return SAID.safeParse(readJson(body)).data ?? null
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(body) ?? '')
  } catch {
    return null
  }
}

export const REFUSALS = {
  busy: {
    code: 'BROKER_BUSY',
    message: 'Too many calls of gza wait at the same time',
    hint: 'Wait for some of them to end.',
  },
  unreadable: {
    code: 'BROKER_REQUEST',
    message: `The broker could not read the call: at most ${MOST_ARGUMENTS} arguments and ${MOST_REQUEST_BYTES / 1024} KB are allowed`,
    hint: 'Shorten it, or make several calls.',
  },
  token: {
    code: 'BROKER_TOKEN',
    message: 'The broker does not know this caller: GZA_BROKER_TOKEN is not that of its run',
    hint: 'Call gza with the environment that your run began with.',
  },
  tooMany: {
    code: 'BROKER_CALLS',
    message: 'This run has called gza too often',
    hint: 'Finish your task without it.',
  },
  notStarted: {
    code: 'BROKER_FAILED',
    message: 'The broker could not start gza',
    hint: 'Continue without it, and say so in your last message.',
  },
} as const satisfies Record<string, Refusal>
