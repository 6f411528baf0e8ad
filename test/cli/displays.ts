import type { Look } from '../../src/cli/terminal/face.ts'
import { COLOURED, PLAIN } from '../../src/cli/terminal/style.ts'

export const GZA: Look = { name: 'gza', ink: PLAIN, width: null }
export const TASKS: Look = { name: 'git-tasks', ink: PLAIN, width: null }

export function onTerminal(look: Look, width: number): Look {
  return { ...look, ink: COLOURED, width }
}

export function textOf(lines: Iterable<string>): string {
  return [...lines].map((line) => `${line}\n`).join('')
}
