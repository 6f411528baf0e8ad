import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Repo } from './find-repo.ts'

type Store = Pick<Repo, 'commonDir' | 'zeroOid'>

export interface GitObject {
  type: string
  body: Buffer
}

/** An object that lies unpacked in the repository, as the latest ones do; null: ask git. */
export function readLooseObject(store: Store, oid: string): GitObject | null {
  try {
    const bytes = Buffer.from(Bun.inflateSync(readFileSync(pathOf(store, oid)), WITH_HEADER))
    const end = bytes.indexOf(0)
    return { type: bytes.toString('latin1', 0, bytes.indexOf(' ')), body: bytes.subarray(end + 1) }
  } catch {
    return null
  }
}

// Bun's own, here and below: node:zlib takes 4 ms to load, in every command that shows a task.
const WITH_HEADER = { windowBits: 15 } as const

/** Whether objects may be written as plain files: nothing says that they belong elsewhere, to others, or on the disk at once. */
export function takesLooseObjects({ commonDir, env }: Repo): boolean {
  if (env.GIT_OBJECT_DIRECTORY !== undefined || env.GIT_QUARANTINE_PATH !== undefined) return false
  return !/sharedrepository|fsync/i.test(readFileSync(join(commonDir, 'config'), 'utf8'))
}

/** Puts the object where git would have put it, unless it is there, and returns its id. */
export function writeLooseObject(store: Store, type: string, body: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
  const hasher = new Bun.CryptoHasher(store.zeroOid.length === 64 ? 'sha256' : 'sha1')
  const oid = hasher.update(bytes).digest('hex')
  const path = pathOf(store, oid)
  if (!freshen(path)) place(path, compress(bytes))
  return oid
}

/** One that is there and that nothing points at may be old enough for a gc to take it. */
function freshen(path: string): boolean {
  if (!existsSync(path)) return false
  const now = new Date()
  utimesSync(path, now, now)
  return true
}

/** As fast as git does it by default for objects that will be packed some day; Bun leaves header and checksum to us. */
function compress(bytes: Buffer<ArrayBuffer>): Buffer {
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(Bun.hash.adler32(bytes))
  return Buffer.concat([ZLIB_HEADER, Bun.deflateSync(bytes, { level: 1 }), checksum])
}

const ZLIB_HEADER = Buffer.of(0x78, 0x01)

/** Whole or not at all. By this name git takes what a crash leaves for rubbish of its own. */
function place(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `tmp_obj_${crypto.randomUUID()}`)
  try {
    writeFileSync(temporary, bytes, { mode: 0o444, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function pathOf({ commonDir }: Store, oid: string): string {
  return join(commonDir, 'objects', oid.slice(0, 2), oid.slice(2))
}
