import type { Env } from '../../../platform/git/git.ts'

/**
 * What a box shows of the machine. Paths are absolute. The deepest path decides: a writable folder inside a hidden one is
 * writable, and a hidden one inside a writable one is hidden. For the same path, the later list decides.
 */
export interface BoxPlan {
  /** Empty inside, and not writable. What does not exist is left out. */
  hidden: readonly string[]
  /** What does not exist is left out. */
  readOnly: readonly string[]
  writable: readonly string[]
  over: readonly Over[]
  /** The agent's own: folders in it can be renamed and removed, also with something protected in them. */
  tree?: string
  network: boolean
  home: Access
  /** Nothing can be written where the lists do not say so, also not in the system's folders for temporary files. */
  isSealed?: boolean
}

export type Access = 'read-only' | 'writable'

/** Shows `from` at the path `to`, which exists or is below a hidden folder: nothing is made outside. */
export interface Over {
  from: string
  to: string
  access: Access
}

export interface Command {
  argv: readonly string[]
  cwd: string
  /** The whole environment. */
  env: Env
}

/** The command that runs another one in a box. */
export interface Enclosed extends Command {
  /**
   * How many processes only hold the box: the first one, and its child, the box's pid 1. A signal to one of them kills
   * what is inside at once.
   */
  holders: 0 | 2
}

/** Puts a command into a box that is ready. */
export type Enclose = (command: Command) => Enclosed

/** Who a box is made for. */
export interface Person {
  uid: number
  gid: number
}
