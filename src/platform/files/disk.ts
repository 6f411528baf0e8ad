import { existsSync, lstatSync, readdirSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Env } from '../git/git.ts'
import { runCaptured } from '../processes/run-briefly.ts'
import { runProgram } from '../processes/run-program.ts'

/** What these files and folders take on disk, in bytes; 0 if `du` cannot tell. */
export function diskUse(top: string, paths: readonly string[], env: Env): number {
  if (paths.length === 0) return 0
  const exit = runProgram(['du', '-sk', '--', ...paths], { cwd: top, env })
  const lines = (exit?.stdout ?? '').split('\n')
  return lines.reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0) * 1024, 0)
}

/** What a folder takes on disk, in bytes, without holding anything up; null if `du` cannot tell within a minute. */
export async function measureFolder(path: string, env: Env): Promise<number | null> {
  const argv = ['du', '-sk', '--', path]
  const ended = await runCaptured({ argv, cwd: '/', env, input: null, limitMs: 60_000, mostBytes: 4096 })
  if ('why' in ended || ended.isLate) return null
  // It ends with 1 if some folder could not be read, and still prints the sum of the others.
  const kilobytes = Number.parseInt(Buffer.from(ended.out).toString(), 10)
  return Number.isNaN(kilobytes) ? null : kilobytes * 1024
}

/** What the files below a folder take on disk, in bytes. Links are not followed, and what cannot be read counts as nothing. */
export function sizeBelow(folder: string): number {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.reduce((sum, entry) => {
      const path = join(folder, entry.name)
      return sum + (entry.isDirectory() ? sizeBelow(path) : lstatSync(path).blocks * BLOCK)
    }, 0)
  } catch {
    return 0
  }
}

const BLOCK = 512

/** What is free where this path is or will be, in bytes. */
export function freeSpace(path: string): number {
  if (!existsSync(path) && path !== dirname(path)) return freeSpace(dirname(path))
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}
