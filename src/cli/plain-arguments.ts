import type { Flag, Parameters, Positional } from './command.ts'

/** What a command's function is called with. */
export interface ParsedArguments {
  flags: Record<string, unknown>
  args: readonly unknown[]
}

/**
 * Reads the words of a call that is clearly valid; null for all other calls, which stricli then parses. Loading and
 * running stricli takes 0.7 ms, a tenth of a fast command. Both read the accepted calls in the same way.
 */
export function readPlainArguments(
  { flags, aliases, positional }: Parameters,
  words: readonly string[],
): ParsedArguments | null {
  const given: Record<string, unknown> = {}
  const inputs: string[] = []
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith('-')) {
      inputs.push(word)
      continue
    }
    const [name, value] = splitFlag(word, aliases)
    const flag = flags[name]
    if (flag === undefined || value === '' || flag.variadic || Object.hasOwn(given, name)) return null
    const read = flag.kind === 'boolean' ? readSwitch(value) : readValue(flag, value ?? rest.shift())
    if (read === null) return null
    given[name] = read.value
  }
  const args = readInputs(positional, inputs)
  return args && { flags: withDefaults(flags, given), args }
}

function splitFlag(word: string, aliases: Parameters['aliases']): [name: string, value?: string] {
  if (!word.startsWith('--')) return [aliases[word.slice(1)] ?? '']
  const at = word.indexOf('=')
  return at < 0 ? [word.slice(2)] : [word.slice(2, at), word.slice(at + 1)]
}

function readSwitch(value: string | undefined): { value: true } | null {
  return value === undefined ? { value: true } : null
}

function readValue({ kind, values, parse }: Flag, text: string | undefined): { value: unknown } | null {
  if (text === undefined || text.startsWith('-')) return null
  if (kind === 'enum') return values?.includes(text) ? { value: text } : null
  try {
    return parse === undefined ? null : { value: parse(text) }
  } catch {
    return null
  }
}

function readInputs(positional: Positional, inputs: readonly string[]): unknown[] | null {
  if (positional.kind === 'array') {
    const { parameter, minimum = 0 } = positional
    return inputs.length < minimum ? null : inputs.map((input) => parameter.parse(input))
  }
  const { parameters } = positional
  if (inputs.length > parameters.length) return null
  for (const { optional } of parameters.slice(inputs.length)) if (!optional) return null
  const args: unknown[] = []
  for (const input of inputs) args.push(parameters[args.length]?.parse(input))
  return args
}

function withDefaults(flags: Parameters['flags'], given: Record<string, unknown>): Record<string, unknown> {
  const all: Record<string, unknown> = {}
  for (const name in flags) all[name] = given[name] ?? flags[name]?.default
  return all
}
