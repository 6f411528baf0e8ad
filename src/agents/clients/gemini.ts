import type { Agent, Invocation, PhaseCall } from '../agent.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { geminiLines } from './gemini-lines.ts'
import { fitsArgument } from './place-prompt.ts'

export const gemini: Agent = {
  name: 'gemini',
  label: 'Gemini CLI',
  canResume: true,
  speaksEvents: true,
  reports: ['turns'],
  accountVariables:
    /^(?:GEMINI_API_KEY|GEMINI_CLI_HOME|GOOGLE_(?:API_KEY|CLOUD_PROJECT|GEMINI_BASE_URL|GENAI_USE_\w+))$/,
  invoke,
  reader: geminiLines,
  // An HTTP status loses its upper bits in the exit code: 401 becomes 145, 429 becomes 173.
  exitHint: (code) => (({ 41: 'auth', 53: 'max-turns', 145: 'auth', 173: 'limit' }) as const)[code] ?? null,
  limitReset,
}

/**
 * There is no flag for turns: its events report them. A settings file would not work: besides the person's own and the
 * project's, it reads only files that root owns, in folders that nobody else can write to.
 */
function invoke(call: PhaseCall): Invocation {
  const inArgument = fitsArgument(call.prompt)
  const argv = ['gemini', ...(inArgument ? ['-p', call.prompt] : [])]
  if (call.access === 'work') argv.push('--yolo')
  else argv.push('--approval-mode', 'plan')
  argv.push('--skip-trust', '-o', 'stream-json')
  if (call.model !== undefined) argv.push('-m', call.model)
  if (call.resume !== undefined) argv.push('--resume', call.resume)
  return { argv, env: {}, ...(!inArgument && { stdin: call.prompt }) }
}
