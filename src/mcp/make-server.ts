import {
  CLIENT_INFO_META_KEY,
  McpServer,
  ProtocolError,
  ResourceNotFoundError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { printableJson } from '../core/text/printable.ts'
import type { Answer, Request } from './answer.ts'
import type { AnsweredError } from './errors.ts'
import { INSTRUCTIONS, PROMPT, promptMessages } from './instructions.ts'
import { RESOURCE_TEMPLATES } from './resources.ts'
import { allTools } from './tools/all-tools.ts'
import { inputSchema, type Tool } from './tools/tool.ts'

/** Answers what needs the repository. `client`: the name that the client gave itself. */
export type Answerer = (request: Request, client: string | undefined) => Promise<Answer>

/** A server for one connection. The same one serves both eras of the protocol. */
export function makeServer(ask: Answerer, version: string): McpServer {
  const made = new McpServer({ name: 'gza', version }, { instructions: INSTRUCTIONS, capabilities: CAPABILITIES })
  const { server } = made
  const clientOf = (context: ServerContext): string | undefined =>
    (context.mcpReq.envelope as ClientInfo | undefined)?.[CLIENT_INFO_META_KEY]?.name ?? server.getClientVersion()?.name
  server.setRequestHandler('tools/list', async () => ({ tools: (await allTools()).map(listed) }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input } }, context) =>
    toolResult(await ask({ kind: 'tool', name, input }, clientOf(context))),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: RESOURCE_TEMPLATES }))
  server.setRequestHandler(
    'resources/list',
    async ({ params }, context) =>
      answeredValue(await ask({ kind: 'resources', cursor: params?.cursor }, clientOf(context))) as never,
  )
  server.setRequestHandler(
    'resources/read',
    async ({ params: { uri } }, context) =>
      answeredValue(await ask({ kind: 'resource', uri }, clientOf(context)), uri) as never,
  )
  server.setRequestHandler('prompts/list', () => ({ prompts: [PROMPT] }))
  server.setRequestHandler('prompts/get', ({ params: { name } }) => {
    if (name !== PROMPT.name) throw new ProtocolError(INVALID_PARAMS, `gza has no prompt ${name.slice(0, 50)}`)
    return promptMessages()
  })
  return made
}

const FIXED = { listChanged: false }
const CAPABILITIES = { tools: FIXED, resources: FIXED, prompts: FIXED }

/** In the newer era every request says who sends it; in the older one the first request did. */
type ClientInfo = { [CLIENT_INFO_META_KEY]?: { name?: string } }

const INVALID_PARAMS = -32602

function listed(tool: Tool) {
  return { name: tool.name, description: tool.description, inputSchema: inputSchema(tool) }
}

function toolResult(answer: Answer) {
  const text = printableJson(JSON.stringify('error' in answer ? answer : answer.value))
  return { content: [{ type: 'text' as const, text }], ...('error' in answer && { isError: true }) }
}

/** Resources have no other way to report an error than the protocol's. */
function answeredValue(answer: Answer, uri?: string): object {
  if (!('error' in answer)) return answer.value
  const { error } = answer
  throw uri === undefined
    ? new ProtocolError(INVALID_PARAMS, sentenceOf(error), error)
    : new ResourceNotFoundError(uri, sentenceOf(error))
}

function sentenceOf({ code, message, hint }: AnsweredError): string {
  return [`${code}: ${message}`, hint].filter(Boolean).join('. ')
}
