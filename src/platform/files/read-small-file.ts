import { quickStat } from './quick-stat.ts'
import { nodeFs } from './slow-modules.ts'

const SMALL = 64 * 1024

const decoder = new TextDecoder()

/**
 * The text of a file that is replaced as a whole when it changes, as git replaces its own; null if there is none. It is
 * read without node:fs, which takes longer to load than a command has.
 */
export function readSmallFile(path: string): string | null {
  const stat = quickStat(path)
  if (stat?.kind !== 'file') return null
  // An empty file cannot be mapped. Neither can one of /proc, whose size is 0.
  if (stat.size === 0 || stat.size > SMALL) return readWithNode(path)
  try {
    return decoder.decode(Bun.mmap(path))
  } catch {
    return readWithNode(path)
  }
}

function readWithNode(path: string): string | null {
  try {
    return nodeFs().readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
