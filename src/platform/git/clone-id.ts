/**
 * Which clone a git directory is. Two clones on one host share its name, and a container has another one, so neither
 * host nor path identifies a clone: a random id in the git common directory does. It is kept with that directory's inode.
 * A moved repository keeps its inode; a copy has another one, and must not take the original's runs for its own. Device
 * and path are not compared: a container sees the same directory elsewhere.
 */
import { inodeAt } from '../files/quick-stat.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { nodeFs } from '../files/slow-modules.ts'

export interface Clone {
  /** Null: it has none yet, or the one that is there belongs to the directory that this one was copied from. */
  id: string | null
  /** The id of the clone that this one was copied from. */
  copiedFrom: string | null
}

/** Costs one small file, and one look at the directory. */
export function readClone(commonDir: string): Clone {
  const known = CLONES.get(commonDir)
  if (known !== undefined) return known
  const written = parse(readSmallFile(cloneFile(commonDir)))
  if (written === null) return { id: null, copiedFrom: null }
  if (written.inode !== inodeAt(commonDir)) return { id: null, copiedFrom: written.id }
  return remember(commonDir, written.id)
}

/** The caller makes sure that only one process writes it at a time. */
export function writeClone(commonDir: string, id: string): Clone {
  const { closeSync, fsyncSync, openSync, renameSync, writeSync } = nodeFs()
  const draft = `${cloneFile(commonDir)}.new`
  nodeFs().rmSync(draft, { force: true })
  const file = openSync(draft, 'wx')
  writeSync(file, `${id} ${inodeAt(commonDir)}\n`)
  // Without its id a clone would not know its own runs after a power cut.
  fsyncSync(file)
  closeSync(file)
  renameSync(draft, cloneFile(commonDir))
  return remember(commonDir, id)
}

/** An id never changes during a process. That there is none may change: another process may give one. */
const CLONES = new Map<string, Clone>()

function remember(commonDir: string, id: string): Clone {
  const clone = { id, copiedFrom: null }
  CLONES.set(commonDir, clone)
  return clone
}

function cloneFile(commonDir: string): string {
  return `${commonDir}/gza/clone`
}

function parse(text: string | null): { id: string; inode: string } | null {
  const [, id, inode] = /^([0-9a-f]{16,}) (\d+)\n$/.exec(text ?? '') ?? []
  return id === undefined || inode === undefined ? null : { id, inode }
}
