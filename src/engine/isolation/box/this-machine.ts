import type { Level } from '../../../core/isolation/levels.ts'
import { findProgram } from '../../../platform/files/files.ts'
import { ownExecutable } from '../../../platform/files/scripts.ts'
import type { Env } from '../../../platform/git/git.ts'
import { loadLandlock } from '../../../platform/isolation/landlock.ts'
import { currentPerson, isLinux } from '../../../platform/processes/machine.ts'
import { runProgram } from '../../../platform/processes/run-program.ts'
import type { BoxPlan } from './box-plan.ts'
import { type BoxMaker, enclose } from './enclose.ts'
import type { Machine } from './find-level.ts'

/** Not the person's PATH: a folder on it may be writable inside a box. */
export const SYSTEM_PATH = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin'

export function findBoxMaker(gza = ownExecutable()): BoxMaker {
  const find = (name: string): string | null => findProgram(name, SYSTEM_PATH)
  const [setpriv, unshare] = [find('setpriv'), find('unshare')]
  return {
    bubblewrap: find('bwrap'),
    unshare: setpriv && unshare ? { setpriv, unshare } : null,
    sh: find('sh') ?? '/bin/sh',
    gza,
    person: currentPerson(),
  }
}

/** Tries the levels of this machine, each at most once for a process: that takes 20 ms. */
export async function thisMachine(env: Env, maker = findBoxMaker()): Promise<Machine> {
  const landlock = (await loadLandlock())?.abi() ?? 0
  return (level) => {
    const known = tried.get(level)
    if (known !== undefined) return known
    const why = !isLinux()
      ? 'only Linux has it'
      : level === 'landlock'
        ? whyNoLandlock(landlock)
        : whyNoBox(level, env, maker)
    tried.set(level, why)
    return why
  }
}

const tried = new Map<Level, string | null>()

/** Before this version, files could be cut off and moved out of folders. */
const FIRST_ABI = 3

function whyNoLandlock(abi: number): string | null {
  if (abi >= FIRST_ABI) return null
  return abi === 0 ? 'the kernel does not have it, or it is turned off' : 'the kernel is older than Linux 6.2'
}

/** A plan with everything that a plan can ask for. */
const TRIAL: BoxPlan = {
  hidden: ['/var'],
  readOnly: ['/etc'],
  writable: [],
  over: [],
  network: false,
  home: 'read-only',
}

function whyNoBox(level: 'bubblewrap' | 'unshare', env: Env, maker: BoxMaker): string | null {
  if (level === 'bubblewrap' && maker.bubblewrap === null) return 'bwrap is not installed'
  if (level === 'unshare' && maker.unshare === null) return 'unshare and setpriv of util-linux are not installed'
  const trial = enclose(level, TRIAL, { argv: ['/bin/sh', '-c', ':'], cwd: '/', env }, maker)
  const ended = runProgram(trial.argv, trial)
  if (ended?.code === 0) return null
  return ended?.stderr.trim().split('\n').at(-1) || 'it could not be started'
}
