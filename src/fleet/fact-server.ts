/** Through it the runs of a worker ask for facts. Only processes of the same user can reach it. */

import { readTextIfThere, removeFile, writeText } from '../platform/files/files.ts'
import { findRepo } from '../platform/git/find-repo.ts'
import type { Env } from '../platform/git/git.ts'
import { type Connection, connectTo, listenAt } from '../platform/sockets/unix-socket.ts'
import { type FactReply, type FactRequest, fleetCloneFile } from '../workspace/fleet/record-in-fleet.ts'

/** In the environment of a run's own process. It is taken away from agents, as all secrets are. */
export const RUN_TOKEN = 'GZA_FLEET_TOKEN'

interface Message {
  slot: number
  token: string
  request: FactRequest
}

type AnswerFact = (message: Message) => Promise<FactReply>

export function serveFacts(path: string, answer: AnswerFact): { stop(): void } {
  removeFile(path)
  const received = new Map<Connection, string>()
  const take = async (connection: Connection, text: string): Promise<void> => {
    const reply = await answer(JSON.parse(text) as Message).catch((error: Error) => ({ refused: error.message }))
    connection.send(Buffer.from(`${JSON.stringify(reply)}\n`))
  }
  return listenAt(path, {
    opened: (connection) => void received.set(connection, ''),
    received: (connection, bytes) => {
      const text = (received.get(connection) ?? '') + Buffer.from(bytes).toString('latin1')
      received.set(connection, text)
      // JSON contains no end of line. The bytes are decoded at once, because a character may be divided.
      if (text.endsWith('\n')) void take(connection, Buffer.from(text, 'latin1').toString('utf8'))
    },
    drained: () => {},
    closed: (connection) => void received.delete(connection),
  })
}

/** From now on the ledger of this clone only follows. */
export function markClone(repo: { commonDir: string }, socket: string, slot: number): void {
  writeText(fleetCloneFile(repo.commonDir), JSON.stringify({ socket, slot }))
}

/** Asks the worker of this clone, and waits for its reply however long it takes. */
export async function askWorker(place: { cwd: string; env: Env }, request: string): Promise<string> {
  const { socket, slot } = JSON.parse(readTextIfThere(fleetCloneFile(findRepo(place.cwd, place.env).commonDir)) ?? '{}')
  const message: Message = { slot, token: place.env[RUN_TOKEN] ?? '', request: JSON.parse(request) }
  let unsent = Buffer.from(`${JSON.stringify(message)}\n`)
  let reply = ''
  const { promise, resolve } = Promise.withResolvers<string>()
  const send = (connection: Connection): void => {
    const taken = connection.send(unsent)
    if (taken > 0) unsent = unsent.subarray(taken)
  }
  const found = await connectTo(socket, {
    opened: send,
    drained: send,
    received: (_connection, bytes) => {
      reply += Buffer.from(bytes).toString()
      if (reply.endsWith('\n')) resolve(reply)
    },
    closed: () => resolve(reply),
  })
  return found === 'connected' ? promise : ''
}
