import type { Display } from '../../src/cli/terminal/display.ts'
import { COLOURED, PLAIN } from '../../src/cli/terminal/style.ts'

export const GZA: Display = { name: 'gza', style: PLAIN, width: null, height: null }
export const TASKS: Display = { name: 'git-tasks', style: PLAIN, width: null, height: null }

export function onTerminal(display: Display, width: number): Display {
  return { ...display, style: COLOURED, width }
}

export function textOf(lines: Iterable<string>): string {
  return [...lines].map((line) => `${line}\n`).join('')
}
