import { type ChildProcess, spawn } from 'node:child_process'
import { bin } from './built-program.ts'
import type { Repo } from './repo.ts'

/** A gza that runs beside the test, which may send it signals. */
export interface SpawnedGza {
  process: ChildProcess
  /** What it has printed so far, on both streams. */
  printed(): string
  ended: Promise<{ code: number | null; signal: string | null }>
}

export function spawnGza({ dir, env }: Pick<Repo, 'dir' | 'env'>, ...args: string[]): SpawnedGza {
  return spawnProgram({ dir, env }, [bin('gza'), ...args])
}

export function spawnProgram({ dir, env }: Pick<Repo, 'dir' | 'env'>, [program = '', ...args]: string[]): SpawnedGza {
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const child = spawn(program, args, { cwd: dir, env: Object.fromEntries(set), stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk
    })
  }
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  return { process: child, printed: () => text, ended }
}
