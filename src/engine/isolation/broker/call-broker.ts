import { UserError } from '../../../core/user-error.ts'
import type { Env } from '../../../platform/git/git.ts'
import { ancestorVariables } from '../../../platform/processes/ancestors.ts'
import { type Connection, connectTo } from '../../../platform/sockets/unix-socket.ts'
import { frameOf, frameReader } from './frames.ts'
import {
  type Answer,
  BROKER_PATH,
  BROKER_TOKEN,
  MOST_ANSWER_BYTES,
  MOST_REQUEST_BYTES,
  REFUSALS,
  type Refusal,
  type Request,
  readSaid,
} from './protocol.ts'

type Ended = Extract<Answer, { exit: number }>

/** Makes a call from inside a box: the broker runs it, and this returns what it printed and how it ended. */
export async function callBroker(env: Env, call: Omit<Request, 'v' | 'token'>): Promise<Ended> {
  const request = frameOf({ v: 1, token: env[BROKER_TOKEN] ?? '', ...call })
  const allowed = MOST_REQUEST_BYTES
  if (request.length > allowed)
    throw new UserError('REQUEST_TOO_LONG', `The call has ${request.length} bytes; at most ${allowed} are allowed`, {
      hint: 'Shorten its text, or make several calls.',
    })
  for (let refusals = 0; ; ) {
    const answer = await exchange(env[BROKER_PATH] ?? '', request)
    if (answer === 'unasked' && refusals > MOST_REFUSALS) throw unwelcome()
    if (answer === 'unasked') refusals += 1
    else if (answer === 'unanswered') throw unanswered()
    else if ('exit' in answer) return answer
    else refuseUnlessBusy(answer.refused)
    // Nothing was done. Others are in front, and this ends at the latest when the run does.
    await Bun.sleep(BUSY_MS)
  }
}

/**
 * The variables of the broker; null if there is no box around this process. A client may start its servers with few
 * variables, so those of the processes above count too.
 */
export function findBroker(env: Env): Env | null {
  const found = env[BROKER_PATH] ? env : ancestorVariables([BROKER_PATH, BROKER_TOKEN])
  return found[BROKER_PATH] ? found : null
}

const BUSY_MS = 100
/** A broker that is busy may be too quick for its reason to be read, but not so often. */
const MOST_REFUSALS = 30

function refuseUnlessBusy({ code, message, hint }: Refusal): void {
  if (code !== REFUSALS.busy.code) throw new UserError(code, message, { hint })
}

/** `unasked`: the connection was closed before the broker was ready. `unanswered`: it was closed after that. */
async function exchange(path: string, request: Uint8Array): Promise<Answer | 'unasked' | 'unanswered'> {
  const { promise, resolve } = Promise.withResolvers<Answer | 'unasked' | 'unanswered'>()
  let read = frameReader(MOST_ANSWER_BYTES)
  let unsent: Uint8Array | null = null
  const send = (connection: Connection, bytes: Uint8Array): void => {
    unsent = bytes.subarray(Math.max(0, connection.send(bytes)))
  }
  const connected = await connectTo(path, {
    opened: () => {},
    received: (connection, piece) => {
      const found = read(piece)
      if (found.kind === 'incomplete') return
      const said = found.kind === 'whole' ? readSaid(found.body) : null
      read = frameReader(MOST_ANSWER_BYTES)
      if (said !== null && 'ready' in said) send(connection, request)
      else resolve(said ?? 'unanswered')
    },
    drained: (connection) => {
      if (unsent !== null && unsent.length > 0) send(connection, unsent)
    },
    closed: () => resolve(unsent === null ? 'unasked' : 'unanswered'),
  })
  if (connected === 'nobody') throw unreachable(path)
  return connected === 'closed' ? 'unasked' : promise
}

function unreachable(path: string): UserError {
  return new UserError('BROKER_GONE', `The broker of this run cannot be reached at ${path}`, {
    hint: 'The run has probably ended, or a sandbox of the client itself refuses sockets. Outside of a run, call gza without GZA_BROKER in the environment.',
  })
}

function unwelcome(): UserError {
  return new UserError('BROKER_CLOSED', 'The broker of this run accepts no call of this process', {
    hint: 'Call gza as the user who started the run.',
  })
}

function unanswered(): UserError {
  return new UserError('BROKER_ENDED', 'The broker of this run closed the connection before it answered', {
    hint: 'Whether the call was made is not known. If the run has not ended, look before you repeat it.',
  })
}
