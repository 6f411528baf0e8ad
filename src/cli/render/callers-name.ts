import { type ProgramName, programOf } from '../terminal/face.ts'
import { ALL_COMMANDS } from '../tree/all-commands.ts'

/** Use cases name commands as `gza …`; whoever called `git tasks` reads that instead. */
export function inCallersName(text: string, name: ProgramName): string {
  if (name === 'gza') return text
  const commands = ALL_COMMANDS.map((command) => command.name).join('|')
  return text.replace(new RegExp(`\\bgza (?=(?:${commands})\\b)`, 'g'), `${programOf(name)} `)
}
