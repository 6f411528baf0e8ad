import type { Level } from '../../../core/isolation/levels.ts'
import { findPath, mayChangeIn } from '../../../platform/files/files.ts'
import { homeFolder } from '../../../platform/files/user-folders.ts'
import type { BoxPlan, Command, Enclosed, Person } from './box-plan.ts'
import { bubblewrap } from './bubblewrap.ts'
import { landlock, landlockPlan } from './landlock.ts'
import { planMounts, type Surroundings } from './plan-mounts.ts'
import { type UnshareTools, unshare } from './unshare.ts'

/** The programs that make a box, and who asks for it. */
export interface BoxMaker {
  /** Null: it is not installed. */
  bubblewrap: string | null
  unshare: UnshareTools | null
  /** What is pid 1 of a box. */
  sh: string
  /** gza's own executable. */
  gza: string
  person: Person
}

/** The command that runs this one in a box, at a level that `findLevel` has found. */
export function enclose(level: Level, plan: BoxPlan, given: Command, maker: BoxMaker): Enclosed {
  const command = level === 'none' ? given : withoutLoaderVariables(given)
  const isRoot = maker.person.uid === 0
  const around: Surroundings = { lookUp: findPath, home: homeFolder(command.env), isRoot, mayChange: mayChangeIn }
  const person = isRoot ? ROOT_INSIDE : maker.person
  const { network } = plan
  const { sh } = maker
  switch (level) {
    case 'bubblewrap':
      if (maker.bubblewrap === null) throw new Error('bubblewrap is not installed')
      return bubblewrap(command, { program: maker.bubblewrap, sh, mounts: planMounts(plan, around), network, person })
    case 'unshare':
      if (maker.unshare === null) throw new Error('unshare is not installed')
      return unshare(command, {
        ...{ tools: maker.unshare, sh, gza: maker.gza, mounts: planMounts(plan, around), network, person },
      })
    case 'landlock':
      return landlock(command, maker.gza, landlockPlan(plan, around))
    case 'none':
      return { ...command, holders: 0 }
  }
}

/** What makes the loader, the shell or mount read a file: maybe one that an agent has written. */
const READ_BEFORE = /^(?:LD_|LIBMOUNT_|BASH_|GCONV_PATH$|LOCPATH$|ENV$|SHELLOPTS$|BASHOPTS$)/

/** The programs that make a box run outside of it. They do not get such variables, only the command inside does. */
function withoutLoaderVariables({ argv, cwd, env }: Command): Command {
  const moved = Object.entries(env).filter(([name, value]) => READ_BEFORE.test(name) && value !== undefined)
  if (moved.length === 0) return { argv, cwd, env }
  const names = moved.map(([name]) => name)
  return {
    argv: ['/usr/bin/env', ...moved.map(([name, value]) => `${name}=${value}`), ...argv],
    cwd,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name))),
  }
}

/**
 * Root is an ordinary user inside. With the number 0, programs that make a box of their own (codex) expect
 * capabilities that they do not have, and others (claude, PostgreSQL) refuse to work. Files keep their owner: root's
 * show as those of this number, and what is made inside belongs to root outside.
 */
const ROOT_INSIDE: Person = { uid: 1000, gid: 1000 }

/** The text of /etc/passwd or /etc/group for a box of root: its number inside has root's name and home folder. */
export function accountsInside(text: string, uid: number): string {
  if (uid !== 0) return text
  const lines = text.split('\n')
  const root = lines.find((line) => /^root:[^:]*:0:/.test(line)) ?? ''
  const [name, password, , ...rest] = root.split(':')
  // /etc/passwd also has the number of the group; the fields of /etc/group end with its members.
  const fields =
    rest.length > 1
      ? [name, password, ROOT_INSIDE.uid, ROOT_INSIDE.gid, ...rest.slice(1)]
      : [name, password, ROOT_INSIDE.gid, ...rest]
  return root === '' ? text : [fields.join(':'), ...lines.filter((line) => line !== root)].join('\n')
}
