import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Env } from '../git/git.ts'
import { runProgram } from '../processes/run-program.ts'

/** What these files and folders take on disk, in bytes; 0 if `du` cannot tell. */
export function diskUse(top: string, paths: readonly string[], env: Env): number {
  if (paths.length === 0) return 0
  const exit = runProgram(['du', '-sk', '--', ...paths], { cwd: top, env })
  const lines = (exit?.stdout ?? '').split('\n')
  return lines.reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0) * 1024, 0)
}

/** What is free where this path is or will be, in bytes. */
export function freeSpace(path: string): number {
  if (!existsSync(path) && path !== dirname(path)) return freeSpace(dirname(path))
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}
