import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, TEMPORARY_ROOT, userId } from '../files/private-folder.ts'
import { openPeer } from '../sockets/peer-user.ts'
import { connectTo, listenAt } from '../sockets/unix-socket.ts'

/** An address with a fresh token, what that server shows and how, or the sentence why there is none. */
type Given = { address: string; repositories: string[]; readOnly: boolean } | { refused: string }

/** Gives a process that asks for it what it may have. */
export type GiveAddress = (pid: number) => Promise<Given>

/** Lets other processes of this user ask the server of a repository for its address. Null: there is no place for it. */
export async function offerAddress(id: string, give: GiveAddress): Promise<{ stop(): void } | null> {
  const path = socketPath(id)
  const readPeer = await openPeer()
  if (path === null || readPeer === null) return null
  // Another server shows this repository too, and continues to answer.
  if (await isAnswered(path)) return null
  rmSync(path, { force: true })
  const server = listenAt(path, {
    opened: async (connection) => {
      const peer = readPeer(connection.fd)
      if (peer === null || peer.user !== userId()) return connection.close()
      // Who asks closes the connection: what was sent could get lost otherwise.
      connection.send(new TextEncoder().encode(`${JSON.stringify(await give(peer.pid))}\n`))
    },
    received: () => {},
    drained: () => {},
    closed: () => {},
  })
  return {
    stop() {
      server.stop()
      rmSync(path, { force: true })
    },
  }
}

async function isAnswered(path: string): Promise<boolean> {
  const nothing = { received: () => {}, drained: () => {}, closed: () => {} }
  return (await connectTo(path, { ...nothing, opened: (connection) => connection.close() })) === 'connected'
}

/** What the server of a repository answers; null: there is none. */
export async function askAddress(id: string): Promise<Given | null> {
  const path = socketPath(id)
  if (path === null) return null
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  const connected = await connectTo(path, {
    opened: () => {},
    received: (connection, bytes) => {
      text += new TextDecoder().decode(bytes)
      if (!text.endsWith('\n')) return
      resolve(text)
      connection.close()
    },
    drained: () => {},
    closed: () => resolve(text),
  })
  if (connected !== 'connected') return null
  return parsed(await promise)
}

function parsed(text: string): Given | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Short: the path of a socket has at most 108 bytes. */
function socketPath(id: string): string | null {
  const folder = join(TEMPORARY_ROOT, `gza-web-${userId()}`)
  return makePrivateFolder(folder) ? join(folder, `${id}.sock`) : null
}
