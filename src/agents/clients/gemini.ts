import type { Agent, Invocation, PhaseCall } from '../agent.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { geminiLines } from './gemini-lines.ts'
import { fitsArgument } from './place-prompt.ts'

export const gemini: Agent = {
  name: 'gemini',
  label: 'Gemini CLI',
  canResume: true,
  speaksEvents: true,
  invoke,
  reader: geminiLines,
  // An HTTP status loses its upper bits on the way out: 401 leaves as 145, 429 as 173.
  exitHint: (code) => (({ 41: 'auth', 53: 'max-turns', 145: 'auth', 173: 'limit' }) as const)[code] ?? null,
  limitReset,
}

/**
 * Turns have no flag: its events tell them. A file of settings would not do: but for the person's own and the project's
 * it reads only those that root owns, in folders that nobody else can write to.
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
