import { type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { findProgram } from '../files/files.ts'
import type { GroupSpec } from './spawn-group.ts'

/** In words what kept a program from starting. The system gives the same code for several causes. */
export function whyNotSpawned(error: NodeJS.ErrnoException, { argv, cwd, env }: GroupSpec): string {
  const [program = ''] = argv
  if (program === '') return 'there is no command'
  if (!isFolder(cwd)) return `the folder ${cwd} is not there`
  switch (error.code) {
    case 'ENOENT':
      return isThere(resolve(cwd, program), program, env.PATH)
        ? `${program}: the interpreter that its first line names is not there`
        : `${program}: no such command`
    case 'EACCES':
    case 'ENOEXEC':
      return `${program}: it may not be executed`
    case 'E2BIG':
      return `${program}: its arguments and environment are longer than the system allows`
    default:
      return `${program}: ${error.message}`
  }
}

function isThere(path: string, program: string, searched = ''): boolean {
  return program.includes('/') ? statOrNull(path) !== null : findProgram(program, searched) !== null
}

function isFolder(path: string): boolean {
  return statOrNull(path)?.isDirectory() ?? false
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
