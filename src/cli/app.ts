import type { CommandDoc } from './command.ts'
import { ALL_COMMANDS } from './tree/all-commands.ts'

/** What makes documentation out of the command line: the whole tree, and every command as plain data. */

export { buildApp, VERSION } from './build-app.ts'

/** Hidden commands included. */
export const commandIndex: readonly CommandDoc[] = ALL_COMMANDS.map((command) => command.describe())
