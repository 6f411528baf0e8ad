import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export interface FilePiece {
  bytes: Uint8Array
  /** Tells the file from another one that later has its name. Null if there is no file. */
  file: string | null
}

/** At most `length` bytes of a file from an offset; none at its end, or if there is no file. */
export function readPiece(path: string, offset: number, length: number): Uint8Array {
  return readFilePiece(path, offset, length).bytes
}

export function readFilePiece(path: string, offset: number, length: number): FilePiece {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { bytes: new Uint8Array(), file: null }
    throw error
  }
  try {
    const piece = new Uint8Array(length)
    const { dev, ino } = fstatSync(descriptor)
    return { bytes: piece.subarray(0, readSync(descriptor, piece, 0, length, offset)), file: `${dev} ${ino}` }
  } finally {
    closeSync(descriptor)
  }
}
