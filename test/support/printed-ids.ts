import type { Result } from './repo.ts'

/** The id a command printed first; ids are random, so what follows is built from it. */
export function idIn(result: Result): string {
  const id = /task-[0-9a-f]{4,}/.exec(result.stdout)?.[0]
  if (id === undefined) throw new Error(`no id in ${JSON.stringify(result)}`)
  return id
}

export function printed(stdout: string, stderr = ''): Result {
  return { code: 0, stdout, stderr }
}
