import { findProgram, listPaths } from '../../../platform/files/files.ts'
import type { Env } from '../../../platform/git/git.ts'
import { loadBecome } from '../../../platform/isolation/become-program.ts'
import { loadLandlock } from '../../../platform/isolation/landlock.ts'
import { type LandlockPlan, openPaths } from './landlock.ts'

// As a shell reports them.
export const NOT_STARTED = 126
const NOT_FOUND = 127

export type Report = (why: string) => void

/**
 * Restricts this process and becomes the program: `gza __landlock PLAN PROGRAM ARGUMENT…`. Returns only if the program
 * cannot be started: the exit code, after the reason was reported.
 */
export async function launchRestricted(
  [text = '', ...argv]: readonly string[],
  env: Env,
  report: Report,
): Promise<number> {
  const [name = ''] = argv
  const program = name.includes('/') ? name : findProgram(name, env.PATH ?? '')
  if (program === null) {
    report(`gza: ${name}: no such command\n`)
    return NOT_FOUND
  }
  try {
    const plan = JSON.parse(text) as LandlockPlan
    const [landlock, become] = [await loadLandlock(), await loadBecome()]
    if (landlock === null || become === null) throw new Error('this system has no Landlock')
    landlock.refusePrivileges()
    landlock.restrict(openPaths(plan, listPaths), plan)
    become(program, argv, env)
  } catch (error) {
    // Never without the restrictions.
    report(`gza: ${name} was not started: ${(error as Error).message}\n`)
  }
  return NOT_STARTED
}
