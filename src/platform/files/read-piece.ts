import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes of a file from an offset on, at most as many as asked for; none at its end, and where there is no file. */
export function readPiece(path: string, offset: number, length: number): Uint8Array {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Uint8Array()
    throw error
  }
  try {
    const piece = new Uint8Array(length)
    return piece.subarray(0, readSync(descriptor, piece, 0, length, offset))
  } finally {
    closeSync(descriptor)
  }
}
