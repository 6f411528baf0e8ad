import type { ProgramName } from './terminal/display.ts'

/**
 * The name the program was called by: that of the executable, or what the launcher of the npm package says, which execs
 * one executable for both.
 */
export function callName(argv0: string, invokedAs: string | undefined): ProgramName {
  const name = (invokedAs ?? argv0)
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.exe$/, '')
  return name === 'git-tasks' ? 'git-tasks' : 'gza'
}
