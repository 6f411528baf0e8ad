import type { Agent, Invocation, PhaseCall } from '../agent.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { fitsArgument } from './place-prompt.ts'
import { qwenLines, readQwenSession } from './qwen-lines.ts'

export const qwen: Agent = {
  name: 'qwen',
  label: 'Qwen Code',
  canResume: true,
  speaksEvents: true,
  reports: ['turns'],
  accountVariables: /^(?:OPENAI_(?:API_KEY|BASE_URL)|DASHSCOPE_API_KEY|QWEN_HOME)$/,
  invoke,
  reader: (before = NOTHING) => qwenLines(before),
  readSessionFile: readQwenSession,
  // At the turn limit the stream just ends: there is no result line.
  exitHint: (code) => (({ 41: 'auth', 53: 'max-turns' }) as const)[code] ?? null,
  limitReset,
}

const NOTHING = { input: 0, output: 0, usd: 0 }

function invoke(call: PhaseCall): Invocation {
  const inArgument = fitsArgument(call.prompt)
  const argv = ['qwen', ...(inArgument ? [call.prompt] : []), '-o', 'stream-json']
  if (call.access === 'work') argv.push('--yolo')
  else argv.push('--approval-mode', 'plan')
  if (call.model !== undefined) argv.push('-m', call.model)
  if (call.maxTurns !== undefined) argv.push('--max-session-turns', String(call.maxTurns))
  if (call.resume !== undefined) argv.push('--resume', call.resume)
  return { argv, env: {}, ...(!inArgument && { stdin: call.prompt }) }
}
