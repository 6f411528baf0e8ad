import { nodeFs } from '../files/slow-modules.ts'

/** A descriptor that bytes are written to. Both functions fail with the error of the system. */
export interface Descriptor {
  /** When it returns, every byte is written. */
  writeAll(bytes: Uint8Array): void
  /** The same for a few bytes and without node:fs, which takes 0.9 ms to load. */
  writeFew(content: string | Uint8Array): Promise<unknown>
  /** How many bytes are few: a pipe takes as many at once, or none of them (PIPE_BUF). */
  few: number
  /** The same for any number of bytes. While the reader does not read, this process continues. */
  writeLater(bytes: Uint8Array): Promise<void>
}

// Not process.stdout: touching it costs as much as the rest of a command, and process.exit() cuts it at 64 KB.
export function standardOutput(fd: 1 | 2): Descriptor {
  return {
    few: 4096,
    writeAll: (bytes) => {
      let done = 0
      while (done < bytes.length) done += writeSome(fd, bytes, done)
    },
    // If the pipe is full, the runtime waits for it. Of more bytes it might then write some twice.
    writeFew: (content) => Bun.write(fd === 1 ? Bun.stdout : Bun.stderr, content),
    writeLater: async (bytes) => {
      let done = 0
      while (done < bytes.length) done += await writeSomeLater(fd, bytes, done)
    },
  }
}

function writeSomeLater(fd: number, bytes: Uint8Array, from: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  nodeFs().write(fd, bytes, from, bytes.length - from, null, (error, written) => {
    if (error === null) resolve(written)
    else if (error.code === 'EAGAIN') setTimeout(resolve, 2, 0)
    else reject(error)
  })
  return promise
}

function writeSome(fd: number, bytes: Uint8Array, from: number): number {
  try {
    return nodeFs().writeSync(fd, bytes, from, bytes.length - from)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    sleep(2)
    return 0
  }
}

/** A non-blocking pipe does not report here when it has room again. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
