import type { CommandDoc } from './command.ts'
import { ALL_COMMANDS } from './tree/all-commands.ts'

/** What documentation is made from. */

export { VERSION } from './build-app.ts'

/** Every command as plain data, hidden ones included. */
export const commandIndex: readonly CommandDoc[] = ALL_COMMANDS.map((command) => command.describe())
