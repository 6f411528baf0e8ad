import type { Env } from '../git/git.ts'

/** How a program ended, as data. */
export interface ProgramExit {
  code: number
  stdout: string
  stderr: string
}

/** Runs a program to its end with the given input; null if it could not be started. */
export function runProgram(
  argv: readonly string[],
  { cwd, env, input }: { cwd: string; env: Env; input?: string },
): ProgramExit | null {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _beBun, ...clean } = env
  try {
    const { exitCode, stdout, stderr } = Bun.spawnSync([...argv], {
      cwd,
      env: clean,
      stdin: input === undefined ? 'ignore' : Buffer.from(input),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    return { code: exitCode ?? 128, stdout: stdout.toString(), stderr: stderr.toString() }
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOEXEC'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
