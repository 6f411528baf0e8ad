import type { Agent, Invocation, PhaseCall } from './agent.ts'
import { geminiLines } from './gemini-lines.ts'
import { limitReset } from './limit-reset.ts'
import { PRIVATE_FOLDER } from './place-files.ts'
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

function invoke(call: PhaseCall): Invocation {
  const inArgument = fitsArgument(call.prompt)
  const argv = ['gemini', ...(inArgument ? ['-p', call.prompt] : [])]
  if (call.access === 'work') argv.push('--yolo')
  else argv.push('--approval-mode', 'plan')
  argv.push('--skip-trust', '-o', 'stream-json')
  if (call.model !== undefined) argv.push('-m', call.model)
  if (call.resume !== undefined) argv.push('--resume', call.resume)
  return { argv, ...turnSettings(call.maxTurns), ...(!inArgument && { stdin: call.prompt }) }
}

const SETTINGS = 'gemini-defaults.json'

/** Turns have no flag. As defaults, because the file that overrules all others may hold an administrator's rules. */
function turnSettings(maxTurns: number | undefined): Pick<Invocation, 'env' | 'files'> {
  if (maxTurns === undefined) return { env: {} }
  return {
    env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: `${PRIVATE_FOLDER}/${SETTINGS}` },
    files: [{ path: SETTINGS, text: JSON.stringify({ model: { maxSessionTurns: maxTurns } }) }],
  }
}
