import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

/** Calls `changed` after a ref of the repository may have moved. What cannot be watched is left out. */
export function watchRefs(commonDir: string, changed: () => void): { close(): void } {
  const relevant = (_event: string, name: string | null): void => {
    if (name === null || !name.endsWith('.lock')) changed()
  }
  const packed = (_event: string, name: string | null): void => {
    if (name === 'packed-refs' || name === 'HEAD') changed()
  }
  const watchers = [
    tryWatch(join(commonDir, 'refs'), true, relevant),
    tryWatch(commonDir, false, packed),
    tryWatch(join(commonDir, 'reftable'), false, relevant),
  ]
  return { close: () => watchers.forEach((watcher) => void watcher?.close()) }
}

function tryWatch(
  path: string,
  recursive: boolean,
  listener: (event: string, name: string | null) => void,
): FSWatcher | null {
  try {
    const watcher = watch(path, { recursive, persistent: false }, listener)
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}
