import { createHash } from 'node:crypto'
import type { Repo } from './find-repo.ts'

/** The name that git gives to a file with these bytes. */
export function blobId({ zeroOid }: Repo, bytes: Buffer): string {
  const hash = createHash(zeroOid.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
