import { briefText } from '../../core/text/shorten.ts'
import type { AgentEvent } from '../agent.ts'
import { textAt } from './read-json.ts'

/** A tool call in one short line: the command, the file, the pattern, or otherwise the first text among its input. */
export function describeTool(name: string, input: unknown): AgentEvent {
  return { kind: 'tool', name, detail: briefText(mainText(input), LONGEST) }
}

export function describeDenied(name: string, input: unknown): AgentEvent {
  return { kind: 'denied', name, detail: briefText(mainText(input), LONGEST) }
}

/** The most descriptive fields of a call, for all clients. */
const DESCRIBING_FIELDS = [
  'command',
  'file_path',
  'filePath',
  'absolute_path',
  'path',
  'pattern',
  'query',
  'url',
  'description',
]

function mainText(input: unknown): string {
  if (typeof input === 'string') return input
  const described = DESCRIBING_FIELDS.map((key) => textAt(input, key)).find((text) => text !== '')
  if (described !== undefined) return described
  if (typeof input !== 'object' || input === null) return ''
  return Object.values(input).find((value): value is string => typeof value === 'string' && value !== '') ?? ''
}

const LONGEST = 200
