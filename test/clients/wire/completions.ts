import { at, listAt, textAt } from '../../../src/agents/reading/read-json.ts'
import type { Step } from '../model-script.ts'
import { eventStream, newId, TOKENS, type Wire } from './wire.ts'

/** OpenAI's older format, which every provider supports: opencode and qwen are set to it, and copilot with a provider of one's own. */
export const completions: Wire = {
  isFor: (path) => path.endsWith('/chat/completions'),
  results: (body) => listAt(body, 'messages').filter((message) => textAt(message, 'role') === 'tool').length,
  tools: (body) =>
    listAt(body, 'tools').map((tool) => ({
      name: textAt(tool, 'function', 'name'),
      schema: at(tool, 'function', 'parameters'),
    })),
  answer: ({ body }, step) => (at(body, 'stream') === true ? streamed(body, step) : Response.json(whole(body, step))),
  refuse: (status) => ({ error: { type: 'scripted_error', message: `scripted ${status}` } }),
}

const USAGE = {
  prompt_tokens: TOKENS.input,
  completion_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.output,
}

function messageOf(body: unknown, step: Step) {
  if ('say' in step) return { role: 'assistant', content: step.say }
  const [name, input] = toolCall(body, step)
  const call = { index: 0, id: newId('call'), type: 'function', function: { name, arguments: JSON.stringify(input) } }
  return { role: 'assistant', tool_calls: [call] }
}

function toolCall(body: unknown, step: Exclude<Step, { say: string }>): [name: string, input: object] {
  if ('call' in step) return [step.call, step.input]
  const { shell, writer, write } = toolsOf(completions.tools(body).map(({ name }) => name))
  return 'run' in step ? [shell, { command: step.run, description: 'scripted' }] : [writer, write(step.write)]
}

interface Tools {
  shell: string
  writer: string
  write(path: string): object
}

const CONTENT = 'scripted'

/** Each client has names of its own for its tools; those for reading are always among the offered ones. */
function toolsOf(offered: readonly string[]): Tools {
  if (offered.includes('view'))
    return { shell: 'bash', writer: 'create', write: (path) => ({ path, file_text: CONTENT }) }
  if (offered.includes('read_file'))
    return {
      shell: 'run_shell_command',
      writer: 'write_file',
      write: (path) => ({ file_path: path, content: CONTENT }),
    }
  return { shell: 'bash', writer: 'write', write: (path) => ({ filePath: path, content: CONTENT }) }
}

function finishOf(step: Step): string {
  return 'say' in step ? 'stop' : 'tool_calls'
}

function whole(body: unknown, step: Step) {
  const choices = [{ index: 0, message: messageOf(body, step), finish_reason: finishOf(step) }]
  return { id: newId('chatcmpl'), object: 'chat.completion', model: textAt(body, 'model'), choices, usage: USAGE }
}

function streamed(body: unknown, step: Step): Response {
  const head = { id: newId('chatcmpl'), object: 'chat.completion.chunk', created: 1, model: textAt(body, 'model') }
  const chunk = (delta: object, finish: string | null) => ({
    data: { ...head, choices: [{ index: 0, delta, finish_reason: finish }] },
  })
  const usage = { data: { ...head, choices: [], usage: USAGE } }
  return eventStream([chunk(messageOf(body, step), null), chunk({}, finishOf(step)), usage, { data: '[DONE]' }])
}
