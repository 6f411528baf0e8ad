import { posix } from 'node:path'

/** One spelling for each file: two tasks that name `./a` and `a` mean the same file. */
export function normalPath(path: string): string {
  return posix.normalize(path.trim()).replace(/(?<=.)[\s/]+$/, '')
}
