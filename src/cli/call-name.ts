import type { ProgramName } from './terminal/display.ts'

/**
 * The name the program was called by: the name of the executable, or the name that the launcher of the npm package
 * passes, because it runs the same executable for both names.
 */
export function callName(argv0: string, invokedAs: string | undefined): ProgramName {
  const name = (invokedAs ?? argv0)
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.exe$/, '')
  return name === 'git-tasks' ? 'git-tasks' : 'gza'
}
