import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/**
 * Puts a text at a path whose folder an agent can write. A link there is replaced and not followed. `next`: a free path
 * on the same disk that the agent cannot write.
 */
export function putFile(path: string, text: string, next: string): void {
  const descriptor = openSync(next, 'wx', 0o644)
  try {
    writeSync(descriptor, text)
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}
