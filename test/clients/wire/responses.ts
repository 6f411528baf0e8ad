import { at, listAt, textAt } from '../../../src/agents/reading/read-json.ts'
import type { OfferedTool, Step } from '../model-script.ts'
import { newId, TOKENS, typedEvents, type Wire } from './wire.ts'

/** OpenAI's newer format, which codex speaks. */
export const responses: Wire = {
  isFor: (path) => path.endsWith('/v1/responses'),
  results: (body) => listAt(body, 'input').filter((item) => /_call_output$/.test(textAt(item, 'type'))).length,
  tools: (body) => listAt(body, 'tools').flatMap(toolsIn),
  answer: ({ body }, step) => streamed(itemOf(body, step)),
  refuse: (status) => ({ error: { type: 'scripted_error', message: `scripted ${status}` } }),
}

function itemOf(body: unknown, step: Step) {
  if ('say' in step) {
    const content = [{ type: 'output_text', text: step.say, annotations: [] }]
    return { type: 'message', id: newId('msg'), role: 'assistant', content }
  }
  const call = { type: 'function_call', id: newId('fc'), call_id: newId('call') }
  if ('call' in step) {
    const { call: name, input, namespace } = step
    return { ...call, name, arguments: JSON.stringify(input), ...(namespace !== undefined && { namespace }) }
  }
  const offered = responses.tools(body).map(({ name }) => name)
  const tool = offered.find((name) => /shell|exec_command/.test(name)) ?? 'shell'
  // It writes files with a patch, in a language of its own: through the shell the same right is asked for.
  const command = 'run' in step ? step.run : `echo scripted > ${step.write}`
  return { ...call, name: tool, arguments: argumentsOf(tool, command) }
}

/** Tools of a server come in a group. */
function toolsIn(tool: unknown): OfferedTool[] {
  const name = textAt(tool, 'name')
  const own = listAt(tool, 'tools').flatMap(toolsIn)
  if (own.length > 0) return own.map((each) => ({ ...each, namespace: name }))
  return [{ name, schema: at(tool, 'parameters') }]
}

/** Each of its shell tools takes the command its own way. */
function argumentsOf(tool: string, command: string): string {
  if (tool === 'exec_command') return JSON.stringify({ cmd: command })
  if (tool === 'shell_command') return JSON.stringify({ command })
  return JSON.stringify({ command: ['bash', '-lc', command] })
}

function streamed(item: object): Response {
  const usage = {
    input_tokens: TOKENS.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: TOKENS.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: TOKENS.input + TOKENS.output,
  }
  const response = { id: newId('resp'), object: 'response', status: 'completed', output: [item], usage }
  return typedEvents([
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ])
}
