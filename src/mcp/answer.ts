import type { Reader } from '../core/documents/agent-advice.ts'
import { agentNameOf, detectActor } from '../core/task/agent-mode.ts'
import { asConnection, leaveClaims, renewClaims } from '../runs/claims/connection-claims.ts'
import { useWorkspace, type Workspace } from '../workspace/workspace.ts'
import { factAsCalls, toolReader } from './commands-as-calls.ts'
import { type AnsweredError, answeredError, badArguments, noSuchTool } from './errors.ts'
import { listResources, readResource } from './resources.ts'
import { findTool } from './tools/all-tools.ts'
import type { Say } from './tools/tool.ts'

/** What a client asks for that needs the repository, and what its server does for it meanwhile. */
export type Request =
  | { kind: 'tool'; name: string; input: unknown }
  | { kind: 'resources'; cursor?: string | undefined }
  | { kind: 'resource'; uri: string }
  | { kind: 'renew' }
  | { kind: 'leave' }

export type Answer = { value: Record<string, unknown> } | { error: AnsweredError }

/** Where the server was started, and what it was given. */
export interface Place {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  branch?: string | undefined
  /** What the client claims belongs to it. Without one, nothing can be claimed for longer than a call. */
  connection?: string | undefined
}

/** Answers one request. The repository is opened for each: what others do meanwhile is seen, and nothing stays open. */
export async function answer(place: Place, request: Request, client: string | undefined): Promise<Answer> {
  const reader = toolReader(Boolean(place.env.GZA_GUARD))
  try {
    const { work, runsOnce } = await workOf(request, (sentence) => factAsCalls(sentence, reader))
    const { cwd, branch } = place
    const env = agentEnvironment(place.env, client)
    const options = { cwd, env, runsOnce, ...(branch !== undefined && { branch }) }
    return await useWorkspace(options, async (ws) => ({
      value: withWarnings(ws, await work(connectedIn(ws, place)), reader),
    }))
  } catch (error) {
    return { error: answeredError(error, reader) }
  }
}

function connectedIn(ws: Workspace, { connection }: Place): Workspace {
  return connection === undefined ? ws : asConnection(ws, connection)
}

/** A client that speaks this protocol is an agent, whatever its environment says. */
function agentEnvironment(env: Place['env'], client: string | undefined): Place['env'] {
  const { mode } = detectActor(env, () => '')
  return mode === 'agent' ? env : { ...env, GZA_AGENT: agentNameOf(client ?? '') }
}

interface Work {
  work(ws: Workspace): unknown
  runsOnce: boolean
}

async function workOf(request: Request, say: Say): Promise<Work> {
  switch (request.kind) {
    case 'resources':
      return { work: (ws) => listResources(ws, request.cursor), runsOnce: false }
    case 'resource':
      return { work: (ws) => readResource(ws, request.uri), runsOnce: false }
    case 'renew':
      return { work: renewClaims, runsOnce: false }
    case 'leave':
      return { work: leaveClaims, runsOnce: false }
    case 'tool':
      return toolWork(request, say)
    default:
      return request satisfies never
  }
}

async function toolWork({ name, input }: { name: string; input: unknown }, say: Say): Promise<Work> {
  const tool = await findTool(name)
  if (tool === undefined) throw noSuchTool(name)
  const checked = tool.input.safeParse(withTextRef(input ?? {}))
  if (!checked.success) throw badArguments(tool, checked.error)
  return { work: (ws) => tool.call(ws, checked.data as never, say), runsOnce: tool.runsOnce }
}

/** Models like to write the number of a task as a number. */
function withTextRef(input: object): object {
  return 'ref' in input && typeof input.ref === 'number' ? { ...input, ref: String(input.ref) } : input
}

function withWarnings({ warnings }: Workspace, value: unknown, reader: Reader): Record<string, unknown> {
  const sentences = [...new Set(warnings.map((warning) => factAsCalls(warning, reader)))]
  return { ...(value as object | undefined), ...(sentences.length > 0 && { warnings: sentences }) }
}
