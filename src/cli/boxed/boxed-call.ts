import { readBoxedWords } from '../../core/boxed-words.ts'
import type { Sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { readCallLine } from '../call-line.ts'
import type { Call, Judge } from '../run-cli.ts'
import { COLOURED, PLAIN } from '../terminal/style.ts'
import { findInBox } from '../tree/in-box.ts'

/** The call that the broker passes on: printed for its caller inside the box, and judged before it begins. */
export function boxedCall(call: Call): Call {
  const { display, argv } = readBoxedWords(call.argv)
  const { name, width, coloured } = display
  return { ...call, argv, display: { name, width, height: null, style: coloured ? COLOURED : PLAIN }, judge: JUDGE }
}

/** An agent that asks for the page which only people use is refused, and a person hears of it through the inbox. */
export async function reportPageCall({ argv, cwd, env }: Call): Promise<void> {
  if (readCallLine(readBoxedWords(argv).argv).words[0] !== 'web') return
  const { reportOwnRun } = await import('../../reports/page-access.ts')
  const { useWorkspace } = await import('../../workspace/workspace.ts')
  await useWorkspace({ cwd, env, spansLedgers: true }, reportOwnRun)
}

/** What a command is really called with decides, not the words: a word can be read in several ways. */
const JUDGE: Judge = {
  folders: (folders) => {
    if (folders.length > 0) throw notInBox('-C', 'gza works in the repository of your run. Leave -C out.')
  },
  command: (name, flags, args) => {
    const rules = findInBox(name)
    if (rules === undefined || 'instead' in rules) throw notInBox(name, rules?.instead ?? UNKNOWN)
    for (const [flag, value] of Object.entries(flags)) {
      const rule = value === undefined || value === false ? true : (rules.flags[flag] ?? UNKNOWN)
      if (rule !== true) throw notInBox(`${name} --${flag}`, rule)
    }
    const { at, only } = rules.input ?? {}
    if (at !== undefined && only !== undefined && args[at] !== '-') throw notInBox(`${name} with a file`, only)
  },
}

const UNKNOWN = 'Continue without it.'

function notInBox(what: string, hint: Sentence): UserError {
  return new UserError('NOT_IN_BOX', `${what} is not available inside the box of a run`, { hint })
}
