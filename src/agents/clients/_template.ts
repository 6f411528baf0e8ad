import type { Agent, Invocation, LineReader, PhaseCall } from '../agent.ts'
import { describeTool } from '../reading/describe-tool.ts'
import { failureEvents } from '../reading/failure-events.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { readPlainLine } from '../reading/plain-line.ts'
import { at, numberAt, readJson, textAt } from '../reading/read-json.ts'
import { fitsArgument } from './place-prompt.ts'

/**
 * To add a client: copy this to `<name>.ts` (and the reader to `<name>-lines.ts` when it grows), add it to the
 * registry, record the real client's streams for `test/fixtures/transcripts/`, and add it to the tables of the tests.
 */
export const template: Agent = {
  name: 'template',
  label: 'Template',
  canResume: true,
  speaksEvents: true,
  reports: ['turns'],
  invoke,
  reader: templateLines,
  // Only if a code has exactly one meaning, and the stream may lack the event for it.
  exitHint: (code) => (code === 53 ? 'max-turns' : null),
  limitReset,
}

/** The client's program is looked up on PATH. Standard input is closed unless the prompt goes there. */
function invoke(call: PhaseCall): Invocation {
  const inArgument = fitsArgument(call.prompt)
  const argv = ['template', '--json', call.access === 'work' ? '--yes-to-all' : '--read-only']
  if (call.model !== undefined) argv.push('--model', call.model)
  if (call.maxTurns !== undefined) argv.push('--max-turns', String(call.maxTurns))
  if (call.resume !== undefined) argv.push('--resume', call.resume)
  if (inArgument) argv.push(call.prompt)
  return { argv, env: {}, ...(!inArgument && { stdin: call.prompt }) }
}

/** The state of one phase, then one function from a line to events. Unknown lines give no events. */
function templateLines(): LineReader {
  let lastText = ''
  return (line) => {
    const read = readJson(line)
    if (read === null) return readPlainLine(line)
    switch (textAt(read, 'type')) {
      case 'start':
        return [{ kind: 'session', id: textAt(read, 'session') }]
      case 'text':
        lastText = textAt(read, 'text')
        return [{ kind: 'text', text: lastText }]
      case 'tool':
        return [describeTool(textAt(read, 'name'), at(read, 'input'))]
      case 'end': {
        const ok = at(read, 'ok') === true
        const failure = ok ? [] : failureEvents({ message: textAt(read, 'error'), status: numberAt(read, 'status') })
        return [...failure, { kind: 'result', ok, text: lastText, reason: ok ? null : 'error', turns: null }]
      }
      default:
        return []
    }
  }
}
