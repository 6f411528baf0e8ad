/**
 * The broker of a run's phase. Inside its box an agent cannot see the ledger, so its calls of gza come through a socket,
 * and gza makes them outside: as that agent, for that run, in the run's repository.
 */
import { timingSafeEqual } from 'node:crypto'
import { delimiter, dirname } from 'node:path'
import { removeFolder } from '../../../platform/files/files.ts'
import { userId } from '../../../platform/files/private-folder.ts'
import { findRepo, type Repo } from '../../../platform/git/find-repo.ts'
import { type Env, foundGit } from '../../../platform/git/git.ts'
import { openPeerUser } from '../../../platform/sockets/peer-user.ts'
import { type BrokerFolder, makeBrokerFolder } from './broker-folder.ts'
import { frameOf } from './frames.ts'
import { type Answer, BROKER_PATH, BROKER_TOKEN, REFUSALS, readRequest } from './protocol.ts'
import { runCall } from './run-call.ts'
import { type ServerLimits, serveRequests } from './serve-requests.ts'

export interface BrokerOptions {
  /** The person's. */
  repo: Repo
  /** gza's own executable, absolute. */
  binary: string
  /** That of the agent, under the guard. */
  env: Env
  /** Where the agent works. */
  cwd: string
  /** Called before a task is marked done: what counts for that must be in the repository. */
  beforeDone?: () => Promise<unknown>
  limits?: Partial<BrokerLimits>
}

export interface BrokerLimits extends ServerLimits {
  /** All calls of the phase. */
  calls: number
  callMs: number
  /** How long a call may still take when the phase has ended. */
  closeMs: number
}

const LIMITS: BrokerLimits = {
  connections: 256,
  silentMs: 1000,
  idleMs: 10_000,
  requestMs: 30_000,
  answerMs: 10_000,
  calls: 10_000,
  callMs: 60_000,
  closeMs: 5000,
}

export interface Broker {
  /** The path that the box needs. */
  socket: string
  /** For the agent, besides its own environment. */
  env: Env
  close(): Promise<void>
}

export async function openBroker(options: BrokerOptions): Promise<Broker> {
  const { repo, binary, env, cwd, beforeDone, limits: given } = options
  const limits = { ...LIMITS, ...given }
  const peerUser = await openPeerUser()
  const folder = makeBrokerFolder(env)
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
  const ending = new AbortController()
  const place = { binary, limitMs: limits.callMs, cancel: ending.signal, ...outsideBox({ repo, env, cwd }, folder) }
  let calls = 0
  const answer = async (body: Uint8Array): Promise<Answer> => {
    const request = readRequest(body)
    if (request === null) return { refused: REFUSALS.unreadable }
    if (!isSame(request.token, token)) return { refused: REFUSALS.token }
    calls += 1
    if (calls > limits.calls) return { refused: REFUSALS.tooMany }
    if (request.argv.includes('done')) await beforeDone?.()
    return runCall(place, request)
  }
  const server = startOrClear(folder, () =>
    serveRequests({
      path: folder.socket,
      limits,
      mayConnect: ({ fd }) => peerUser === null || peerUser(fd) === userId(),
      answer: async (body) => frameOf(await answer(body)),
    }),
  )
  return {
    socket: folder.socket,
    env: { [BROKER_PATH]: folder.socket, [BROKER_TOKEN]: token },
    close: async () => {
      const limit = setTimeout(() => ending.abort(), limits.closeMs)
      await server.close()
      clearTimeout(limit)
      removeFolder(folder.path)
    },
  }
}

function startOrClear<T>(folder: BrokerFolder, start: () => T): T {
  try {
    return start()
  } catch (error) {
    removeFolder(folder.path)
    throw error
  }
}

/**
 * Where and with which variables gza runs for the agent. It finds the run's HEAD by a variable, never by looking around:
 * the `.git` of a folder that the agent writes may lead to a repository whose settings run programs. For the same reason
 * its working tree is not the agent's: a gza.yaml there may be a link to any file of the person.
 */
function outsideBox({ repo, env, cwd }: Pick<BrokerOptions, 'repo' | 'env' | 'cwd'>, { empty }: BrokerFolder) {
  const { gitDir, workTree } = findRepo(cwd, env)
  const isPersons = repo.workTree !== null && repo.workTree !== workTree
  const tree = isPersons ? repo.workTree : empty
  const { [BROKER_PATH]: _path, [BROKER_TOKEN]: _token, ...guarded } = env
  // The agent may have put another git on PATH.
  const path = { PATH: [dirname(foundGit(repo.env)), env.PATH ?? ''].join(delimiter) }
  return { cwd: tree ?? empty, env: { ...guarded, ...path, GIT_DIR: gitDir, GIT_WORK_TREE: tree ?? empty } }
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
