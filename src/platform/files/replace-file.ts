import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { inPlace } from './own-folders.ts'

/** Replaces a file at once: a reader finds either the old or the new one, whole. Only its owner may read it. */
export function replaceFile(path: string, pieces: readonly Uint8Array[]): void {
  inPlace(path, (place) => replaceAt(place, pieces))
}

function replaceAt(path: string, pieces: readonly Uint8Array[]): void {
  const next = `${path}.${crypto.randomUUID()}`
  const descriptor = openSync(next, 'wx', 0o600)
  try {
    for (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at)
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}
