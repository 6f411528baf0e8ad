import { command, sentence, sentenceText } from '../core/sentence.ts'
import { makeRedact } from '../engine/guard/redact.ts'
import { useWorkspace, type WorkspaceOptions } from '../workspace/workspace.ts'
import { performAction } from './actions/perform-action.ts'
import { badApiRequest, bearerOf, refusal, wrongHost } from './check-request.ts'
import type { EventStream } from './event-stream.ts'
import type { Preferences, StartedCommands } from './host.ts'
import { setPreference } from './preferences.ts'
import { findResource } from './resources/all-resources.ts'
import { failureOf, jsonResponse, refuse, valueWithWarnings } from './respond.ts'
import type { ServedRepository } from './served-repositories.ts'
import type { SignIn } from './sign-in.ts'

export interface Served {
  repositories: readonly ServedRepository[]
  env: WorkspaceOptions['env']
  version: string
  readOnly: boolean
  signIn: SignIn
  events: EventStream
  pageFile(path: string): Promise<Response | null>
  /** Throws if the process that asks may not sign in. */
  admit(peerPort: number | null): Promise<void>
  preferences: Preferences
  commands: StartedCommands
}

/** Answers one request. `port`: the one that this server listens at. */
export async function answerRequest(
  served: Served,
  request: Request,
  from: { port: number; peerPort: number | null },
): Promise<Response> {
  const refused = wrongHost(request, from.port)
  if (refused !== null) return refuse(refused)
  const url = new URL(request.url)
  try {
    if (!url.pathname.startsWith('/api/')) return await answerPage(served, request, url)
    const bad = badApiRequest(request, from.port)
    if (bad !== null) return refuse(bad)
    if (url.pathname === '/api/sign-in') return await answerSignIn(served, request, from.peerPort)
    if (!served.signIn.isSignedIn(bearerOf(request))) return refuse(NOT_SIGNED_IN)
    return await answerApi(served, request, url)
  } catch (error) {
    return refuse(failureOf(error, served.env))
  }
}

const SIGN_IN_AGAIN = sentenceText(sentence`Run ${command`web`} again, in a terminal.`)
const NOT_SIGNED_IN = refusal(401, 'NOT_SIGNED_IN', 'This page is not signed in', SIGN_IN_AGAIN)
const NOT_FOUND = refusal(404, 'NO_SUCH_PAGE', 'There is nothing at this address')

async function answerPage(served: Served, request: Request, url: URL): Promise<Response> {
  if (request.method !== 'GET') return refuse(refusal(405, 'WRONG_METHOD', 'Use GET'))
  return (await served.pageFile(url.pathname)) ?? refuse(NOT_FOUND)
}

async function answerSignIn(served: Served, request: Request, peerPort: number | null): Promise<Response> {
  if (request.method !== 'POST') return refuse(refusal(405, 'WRONG_METHOD', 'Use POST'))
  await served.admit(peerPort)
  const { token } = (await bodyOf(request)) as { token?: unknown }
  const bearer = typeof token === 'string' ? served.signIn.exchange(token) : null
  return bearer === null ? refuse(NOT_SIGNED_IN) : jsonResponse({ bearer })
}

async function answerApi(served: Served, request: Request, url: URL): Promise<Response> {
  const [, , area, id, ...rest] = url.pathname.split('/')
  if (area === 'events') return served.events.connect(request.signal)
  if (area === 'repositories') return jsonResponse(describe(served))
  if (area === 'preferences' && request.method === 'POST')
    return setPreference(served.preferences, await bodyOf(request))
  const repository = served.repositories.find((each) => each.id === id)
  if (area !== 'r' || repository === undefined) return refuse(NOT_FOUND)
  if (request.method === 'GET') return read(served, repository, rest.join('/'), url.searchParams)
  return rest.length === 2 && rest[0] === 'actions'
    ? performAction(served, repository, rest[1] as string, await bodyOf(request))
    : refuse(NOT_FOUND)
}

/** The first thing that a page asks for. */
export function describe({ repositories, version, readOnly, preferences }: Served) {
  return {
    version,
    read_only: readOnly,
    preferences: preferences.read(),
    repositories: repositories.map(({ id, name, folder }) => ({ id, name, folder })),
  }
}

async function read({ env, commands }: Served, { folder, id }: ServedRepository, path: string, query: URLSearchParams) {
  const found = await findResource(path)
  if (found === null) return refuse(NOT_FOUND)
  const { resource, ref, name } = found
  return jsonResponse(
    await useWorkspace({ cwd: folder, env }, async (ws) => {
      const value = await resource.read(ws, { ref, name, query, started: () => commands.list(id) })
      return valueWithWarnings(ws, resource.hasTexts ? makeRedact(env)(value) : value)
    }),
  )
}

async function bodyOf(request: Request): Promise<object> {
  try {
    const body: unknown = await request.json()
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
