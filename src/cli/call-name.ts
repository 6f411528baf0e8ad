import type { ProgramName } from './terminal/display.ts'

/**
 * The name the program was called by: the name of the executable, or the name that the launcher of the npm package
 * passes, because it runs the same executable for both names.
 */
export function callName(argv0: string, invokedAs: string | undefined): ProgramName {
  const path = invokedAs ?? argv0
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return name === 'git-tasks' || name === 'git-tasks.exe' ? 'git-tasks' : 'gza'
}
