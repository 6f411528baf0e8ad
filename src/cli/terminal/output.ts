import { writeSync } from 'node:fs'
import { UserError } from '../../core/user-error.ts'

/** Buffered text for one file descriptor. When `flush` returns, every byte is written. */
export interface Output {
  write(text: string): void
  writeBytes(bytes: Uint8Array): void
  flush(): void
}

/** Thrown when the reader has closed the pipe, as `| head -1` does. It is not an error: there is nothing left to do. */
export class ReaderGone extends Error {}

export const CHUNK = 64 * 1024

// Not process.stdout: touching it costs as much as the rest of a command, and process.exit() cuts it at 64 KB.
export function openOutput(fd: number): Output {
  let pending = ''
  let closed = false
  const flush = (): void => {
    const text = pending
    pending = ''
    // Not Buffer.from: the first Buffer of a process takes 0.2 ms.
    if (text !== '') writeOut(new TextEncoder().encode(text))
  }
  const writeOut = (bytes: Uint8Array): void => {
    if (closed) return
    try {
      writeAll(fd, bytes)
    } catch (error) {
      closed = true
      throw error
    }
  }
  const write = (text: string): void => {
    pending += text
    if (pending.length >= CHUNK) flush()
  }
  const writeBytes = (bytes: Uint8Array): void => {
    flush()
    writeOut(bytes)
  }
  return { write, writeBytes, flush }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let done = 0
  while (done < bytes.length) done += writeSome(fd, bytes, done)
}

function writeSome(fd: number, bytes: Uint8Array, from: number): number {
  try {
    return writeSync(fd, bytes, from, bytes.length - from)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') throw new ReaderGone()
    if (code !== 'EAGAIN') throw outputFailed(message)
    sleep(2)
    return 0
  }
}

function outputFailed(why: string): UserError {
  return new UserError('OUTPUT_FAILED', `The output could not be written: ${why}`, {
    hint: 'The command itself has finished; only its output is lost.',
  })
}

/** A non-blocking pipe does not report here when it has room again. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
