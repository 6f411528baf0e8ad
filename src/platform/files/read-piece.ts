import { closeSync, openSync, readSync } from 'node:fs'

/** At most `length` bytes of a file from an offset; none at its end, or if there is no file. */
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
