import { at, listAt, textAt } from '../../../src/agents/reading/read-json.ts'
import type { Step } from '../model-script.ts'
import { eventStream, newId, TOKENS, type Wire } from './wire.ts'

/** OpenAI's older format, which every provider supports and opencode is set to. */
export const completions: Wire = {
  isFor: (path) => path.endsWith('/chat/completions'),
  results: (body) => listAt(body, 'messages').filter((message) => textAt(message, 'role') === 'tool').length,
  offered: (body) => listAt(body, 'tools').map((tool) => textAt(tool, 'function', 'name')),
  answer: ({ body }, step) => (at(body, 'stream') === true ? streamed(body, step) : Response.json(whole(body, step))),
  refuse: (status) => ({ error: { type: 'scripted_error', message: `scripted ${status}` } }),
}

const USAGE = {
  prompt_tokens: TOKENS.input,
  completion_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.output,
}

function messageOf(step: Step) {
  if ('say' in step) return { role: 'assistant', content: step.say }
  const [name, input] =
    'run' in step
      ? ['bash', { command: step.run, description: 'scripted' }]
      : ['write', { filePath: step.write, content: 'scripted' }]
  const call = { index: 0, id: newId('call'), type: 'function', function: { name, arguments: JSON.stringify(input) } }
  return { role: 'assistant', tool_calls: [call] }
}

function finishOf(step: Step): string {
  return 'say' in step ? 'stop' : 'tool_calls'
}

function whole(body: unknown, step: Step) {
  const choices = [{ index: 0, message: messageOf(step), finish_reason: finishOf(step) }]
  return { id: newId('chatcmpl'), object: 'chat.completion', model: textAt(body, 'model'), choices, usage: USAGE }
}

function streamed(body: unknown, step: Step): Response {
  const head = { id: newId('chatcmpl'), object: 'chat.completion.chunk', created: 1, model: textAt(body, 'model') }
  const chunk = (delta: object, finish: string | null) => ({
    data: { ...head, choices: [{ index: 0, delta, finish_reason: finish }] },
  })
  const usage = { data: { ...head, choices: [], usage: USAGE } }
  return eventStream([chunk(messageOf(step), null), chunk({}, finishOf(step)), usage, { data: '[DONE]' }])
}
