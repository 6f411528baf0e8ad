import { normalize } from 'node:path/posix'

/** One spelling for one file: two tasks that write `./a` and `a` mean the same. */
export function normalPath(path: string): string {
  return normalize(path.trim()).replace(/(?<=.)\/$/, '')
}
