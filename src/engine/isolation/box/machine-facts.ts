import {
  APPARMOR,
  FOR_USERS,
  INSTALLERS,
  type MachineFacts,
  MOST_NAMESPACES,
} from '../../../core/isolation/how-to-get-a-box.ts'
import { fileExists, findProgram, readTextIfThere } from '../../../platform/files/files.ts'
import { quickStat } from '../../../platform/files/quick-stat.ts'
import type { Env } from '../../../platform/git/git.ts'
import { readMounts } from '../../../platform/isolation/mount-table.ts'
import { findBoxMaker, SYSTEM_PATH } from './this-machine.ts'

/** What decides whether this machine can make a box. */
export function readMachineFacts(env: Env): MachineFacts {
  const { bubblewrap, person } = findBoxMaker()
  const settings = [MOST_NAMESPACES, FOR_USERS, APPARMOR].flatMap((name): [string, string][] => {
    const value = readTextIfThere(`/proc/sys/${name.replaceAll('.', '/')}`)
    return value === null ? [] : [[name, value.trim()]]
  })
  return {
    isRoot: person.uid === 0,
    hasBubblewrap: bubblewrap !== null,
    installer: Object.keys(INSTALLERS).find((name) => findProgram(name, SYSTEM_PATH) !== null) ?? null,
    settings: Object.fromEntries(settings),
    isChroot: isChroot(),
    isContainer: ['/.dockerenv', '/run/.containerenv'].some(fileExists) || Boolean(env.container),
  }
}

/** The root folder of any other process is a mount, and that of the first one. Only root may look at the latter. */
function isChroot(): boolean {
  const first = quickStat('/proc/1/root/')
  return (
    !readMounts().some(({ place }) => place === '/') || (first !== null && first.identity !== quickStat('/')?.identity)
  )
}
