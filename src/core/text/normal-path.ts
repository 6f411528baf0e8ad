import { posix } from 'node:path'

/** One spelling for one file: two tasks that write `./a` and `a` mean the same. */
export function normalPath(path: string): string {
  return posix.normalize(path.trim()).replace(/(?<=.)[\s/]+$/, '')
}
