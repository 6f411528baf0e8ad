import { callBroker } from '../../engine/isolation/broker/call-broker.ts'
import { readCallLine } from '../call-line.ts'
import type { Parameters } from '../command.ts'
import { type Call, report, runCli } from '../run-cli.ts'
import { readInput } from '../terminal/input.ts'
import { PLAIN } from '../terminal/style.ts'
import { findCommand } from '../tree/find-command.ts'
import { findInBox } from '../tree/in-box.ts'

/** Lets the broker make the call, and prints what it answers. */
export async function askBroker(call: Call): Promise<number> {
  // The server itself runs in the box, beside its client. What it is asked goes through the broker.
  if (isServer(call)) return runCli(call)
  try {
    const { name, width, style } = call.display
    const stdin = await readNeededInput(call)
    const sent = { argv: [...call.argv], name, width, coloured: style !== PLAIN, ...(stdin !== null && { stdin }) }
    const { exit, out, err } = await callBroker(call.env, sent)
    call.out.write(out)
    await call.out.finish()
    call.err.write(err)
    await call.err.finish()
    return exit
  } catch (error) {
    return report(error, call)
  }
}

function isServer({ argv }: Call): boolean {
  const [name, ...words] = readCallLine(argv).words
  return name === 'mcp' && words.length === 0
}

/**
 * Standard input, if the command would read it; null otherwise. It is not read in vain: the caller may have left it
 * open, and the call would never end.
 */
async function readNeededInput({ argv, isTerminal }: Call): Promise<string | null> {
  const [name = '', ...words] = readCallLine(argv).words
  const rules = findInBox(name)
  const input = rules !== undefined && 'input' in rules ? rules.input : undefined
  const known = await findCommand(name)
  if (input === undefined || known === undefined || words.includes('--help') || words.includes('-h')) return null
  const args = argumentsIn(known.parameters(), words)
  if (args.length < input.at) return null
  const given = args[input.at]
  const isRead = given === '-' || (given === undefined && input.only === undefined && !(await isTerminal(0)))
  return isRead ? readInput({ cwd: '/' }, '-') : null
}

/** The words that are neither flags nor their values. */
function argumentsIn({ flags, aliases }: Parameters, words: readonly string[]): string[] {
  const found: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (word === '--') return [...found, ...words.slice(at + 1)]
    if (!word.startsWith('-') || word === '-') found.push(word)
    else if (
      !word.includes('=') &&
      takesValue(flags[word.startsWith('--') ? word.slice(2) : (aliases[word[1] ?? ''] ?? '')])
    )
      at++
  }
  return found
}

function takesValue(flag: { kind: string } | undefined): boolean {
  return flag !== undefined && flag.kind !== 'boolean'
}
