import type { Source } from '../source.ts'
import { unknownCommands, writtenOutCommands } from './command-texts.ts'
import { importCycles } from './cycles.ts'
import { missingExceptions } from './exceptions.ts'
import { brokenImports } from './imports.ts'
import { wideInterfaces } from './interfaces.ts'
import { heavyCommands, heavyStart, heavyTree, largeCommands } from './loads.ts'
import { forbiddenNames } from './names.ts'
import { outsideWorldUses } from './outside-world.ts'
import { fullFolders, loneFiles, longFiles } from './sizes.ts'
import { strayStatements, strayUsersOfSql } from './sql.ts'
import { mixedStores } from './stores.ts'

export type Rule = (sources: readonly Source[]) => string[]

/** Each rule, under the sentence that is the title of its test. */
export const RULES = {
  'imports follow the table': brokenImports,
  'files do not import each other in a circle': importCycles,
  'only platform sees the environment, files, processes and the clock': outsideWorldUses,
  'fast commands load no slow module': heavyCommands,
  'reading commands load little code': largeCommands,
  'the command tree loads names only': heavyTree,
  'the entry point loads no command': heavyStart,
  'only state contains SQL': strayStatements,
  'a command in a text is data': writtenOutCommands,
  'texts name commands that exist': unknownCommands,
  'only state calls functions that take SQL': strayUsersOfSql,
  'the stores of state do not import each other': mixedStores,
  'no name contains a word of "Never in code"': forbiddenNames,
  'no file has more than 400 lines': longFiles,
  'no folder has more than 18 files': fullFolders,
  'a file under 25 lines has two importers': loneFiles,
  'no interface has more than 8 functions': wideInterfaces,
  'every file that a rule exempts exists': missingExceptions,
} satisfies Record<string, Rule>
