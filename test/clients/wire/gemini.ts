import { at, listAt, textAt } from '../../../src/agents/reading/read-json.ts'
import type { Step } from '../model-script.ts'
import { eventStream, TOKENS, type Wire } from './wire.ts'

export const gemini: Wire = {
  isFor: (path) => /:(stream)?generateContent$/i.test(path),
  // Counted by the calls: a client that resumes sends a result twice.
  results: (body) => parts(body).filter((part) => at(part, 'functionCall') !== undefined).length,
  tools: (body) =>
    listAt(body, 'tools').flatMap((tool) =>
      listAt(tool, 'functionDeclarations').map((each) => ({
        name: textAt(each, 'name'),
        schema: at(each, 'parametersJsonSchema') ?? at(each, 'parameters'),
      })),
    ),
  answer: ({ path }, step) => {
    const data = {
      candidates: [{ index: 0, content: { role: 'model', parts: [partOf(step)] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: TOKENS.input,
        candidatesTokenCount: TOKENS.output,
        totalTokenCount: TOKENS.input + TOKENS.output,
      },
    }
    return path.includes('stream') ? eventStream([{ data }]) : Response.json(data)
  },
  refuse: (status) => ({
    error: { code: status, message: `scripted ${status}`, status: STATES[status] ?? 'INTERNAL' },
  }),
}

const STATES: Record<number, string> = { 401: 'UNAUTHENTICATED', 429: 'RESOURCE_EXHAUSTED' }

function parts(body: unknown): unknown[] {
  return listAt(body, 'contents').flatMap((content) => listAt(content, 'parts'))
}

function partOf(step: Step) {
  if ('say' in step) return { text: step.say }
  if ('call' in step) return { functionCall: { name: step.call, args: step.input } }
  if ('run' in step)
    return { functionCall: { name: 'run_shell_command', args: { command: step.run, description: 'scripted' } } }
  return { functionCall: { name: 'write_file', args: { file_path: step.write, content: 'scripted' } } }
}
