import { at, listAt, textAt } from '../../../src/agents/reading/read-json.ts'
import type { Step } from '../model-script.ts'
import { newId, TOKENS, typedEvents, type Wire } from './wire.ts'

export const anthropic: Wire = {
  isFor: (path) => path.endsWith('/v1/messages'),
  results: (body) => blocks(body).filter((block) => textAt(block, 'type') === 'tool_result').length,
  tools: (body) =>
    listAt(body, 'tools').map((tool) => ({ name: textAt(tool, 'name'), schema: at(tool, 'input_schema') })),
  answer: ({ body }, step) => (at(body, 'stream') === true ? streamed(body, step) : Response.json(whole(body, step))),
  refuse: (status) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message: `scripted ${status}` },
  }),
}

const ERROR_TYPES: Record<number, string> = { 401: 'authentication_error', 429: 'rate_limit_error' }

function blocks(body: unknown): unknown[] {
  return listAt(body, 'messages').flatMap((message) => listAt(message, 'content'))
}

const USAGE = {
  input_tokens: TOKENS.input,
  output_tokens: TOKENS.output,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

function whole(body: unknown, step: Step) {
  return { ...head(body), content: [blockOf(step)], stop_reason: stopOf(step), usage: USAGE }
}

function head(body: unknown) {
  return { id: newId('msg'), type: 'message', role: 'assistant', model: textAt(body, 'model'), stop_sequence: null }
}

function blockOf(step: Step) {
  if ('say' in step) return { type: 'text', text: step.say }
  const call = { type: 'tool_use', id: newId('toolu') }
  if ('call' in step) return { ...call, name: step.call, input: step.input }
  if ('run' in step) return { ...call, name: 'Bash', input: { command: step.run, description: 'scripted' } }
  return { ...call, name: 'Write', input: { file_path: step.write, content: 'scripted' } }
}

function stopOf(step: Step): string {
  return 'say' in step ? 'end_turn' : 'tool_use'
}

function streamed(body: unknown, step: Step): Response {
  const block = blockOf(step)
  const [empty, delta] =
    'text' in block
      ? [
          { ...block, text: '' },
          { type: 'text_delta', text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        ]
  const ended = { stop_reason: stopOf(step), stop_sequence: null }
  return typedEvents([
    { type: 'message_start', message: { ...head(body), content: [], stop_reason: null, usage: USAGE } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: ended, usage: { output_tokens: TOKENS.output } },
    { type: 'message_stop' },
  ])
}
