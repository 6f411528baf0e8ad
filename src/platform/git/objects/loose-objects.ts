/**
 * Loose objects of a repository, written and read as git does it, without starting git. loose-rules.ts says where git must
 * do it instead. Everything is loaded late: commands that only read need none of it.
 */
import { quickFiles } from '../../files/quick-files.ts'
import { quickStat } from '../../files/quick-stat.ts'
import { nodeFs } from '../../files/slow-modules.ts'
import { type GitObject, objectId, objectOf, wholeObject } from './object-format.ts'

export interface NewObject extends GitObject {
  oid: string
}

/** An object with its name. `length`: of an id, as text. */
export function named(object: GitObject, length: number): NewObject {
  return { ...object, oid: objectId(wholeObject(object), length) }
}

/** `objects`: the folder of all objects. */
export function loosePath(objects: string, oid: string): string {
  return `${objects}/${oid.slice(0, 2)}/${oid.slice(2)}`
}

/**
 * Writes the objects that are not there as files. One that is there gets the present time, because `git gc` removes old
 * ones that nothing names; one that a power cut has emptied is written again.
 */
export function writeLooseObjects(objects: string, all: readonly NewObject[]): void {
  for (const object of all) if (!freshen(loosePath(objects, object.oid))) writeRepeatedly(objects, object)
}

/** `git gc --prune=now` removes drafts too, and folders that are empty at that moment. */
function writeRepeatedly(objects: string, object: NewObject): void {
  for (let tries = 1; ; tries++) {
    try {
      writeLooseObject(objects, object)
      return
    } catch (error) {
      if (tries === MOST_TRIES || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

const MOST_TRIES = 5

/** Whether the objects are there as files with a content. */
export function areLoose(objects: string, all: readonly NewObject[]): boolean {
  for (const { oid } of all) if ((quickStat(loosePath(objects, oid))?.size ?? 0) === 0) return false
  return true
}

function freshen(path: string): boolean {
  const quick = quickFiles()
  if (quick !== null) return quick.touch(path) && (quickStat(path)?.size ?? 0) > 0
  if ((quickStat(path)?.size ?? 0) === 0) return false
  try {
    const now = new Date()
    nodeFs().utimesSync(path, now, now)
    return true
  } catch {
    // It belongs to another user, or git has just removed it.
    return false
  }
}

/** The name of the draft is one that `git gc` knows and removes, if a crash leaves it. */
function writeLooseObject(objects: string, object: NewObject): void {
  const path = loosePath(objects, object.oid)
  const draft = `${path.slice(0, path.lastIndexOf('/'))}/tmp_obj_${randomName()}`
  const bytes = compressed(wholeObject(object))
  if (!quickFiles()?.publish(bytes, draft, path)) writeWithNode(bytes, draft, path)
}

function writeWithNode(bytes: Buffer, draft: string, path: string): void {
  const { closeSync, openSync, renameSync, rmSync, writeSync } = nodeFs()
  const file = openInFolder(draft, openSync)
  try {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

const READ_ONLY = 0o444

function openInFolder(draft: string, open: typeof import('node:fs').openSync): number {
  try {
    return open(draft, 'wx', READ_ONLY)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    nodeFs().mkdirSync(draft.slice(0, draft.lastIndexOf('/')), { recursive: true })
    return open(draft, 'wx', READ_ONLY)
  }
}

function randomName(): string {
  return crypto.getRandomValues(new Uint8Array(6)).toHex()
}

/**
 * A zlib stream: its header, the raw data, and the checksum. Not through node:zlib, which takes 5 ms to load, more than
 * git takes to start.
 */
export function compressed(whole: Uint8Array): Buffer {
  const bytes = new Uint8Array(whole)
  const data = Bun.deflateSync(bytes, { level: 1 })
  const stream = Buffer.allocUnsafe(data.length + 6)
  stream.writeUInt16BE(ZLIB_LEVEL_1)
  stream.set(data, 2)
  stream.writeUInt32BE(Bun.hash.adler32(bytes), data.length + 2)
  return stream
}

const ZLIB_LEVEL_1 = 0x7801

/** An object that is a file; null: it is not, or it is not what its name says, and git has to be asked. */
export function readLooseObject(objects: string, oid: string): GitObject | null {
  try {
    const bytes = readFile(loosePath(objects, oid))
    if (bytes === null) return null
    const plain = Bun.inflateSync(bytes.subarray(2, -4))
    const whole = Buffer.allocUnsafe(plain.length)
    whole.set(plain)
    return objectId(whole, oid.length) === oid ? objectOf(whole) : null
  } catch {
    return null
  }
}

/** Null: it is empty, or larger than commits and trees of a ledger are. */
function readFile(path: string): Uint8Array<ArrayBuffer> | null {
  const bytes = quickFiles()?.read(path, USUAL_BYTES)
  if (bytes) return bytes
  const size = quickStat(path)?.size ?? 0
  return size === 0 || size > MOST_BYTES ? null : nodeFs().readFileSync(path)
}

/** Most are read with one call, without being asked for their size. */
const USUAL_BYTES = 8 * 1024
const MOST_BYTES = 1024 * 1024
