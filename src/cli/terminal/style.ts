import type { Env } from './face.ts'

/** The few styles there are. Without colour each returns its text, so both forms read the same. */
export interface Ink {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  red(text: string): string
  yellow(text: string): string
}

const same = (text: string): string => text

export const PLAIN: Ink = { bold: same, dim: same, green: same, red: same, yellow: same }

export const COLOURED: Ink = {
  bold: style(1, 22),
  dim: style(2, 22),
  green: style(32, 39),
  red: style(31, 39),
  yellow: style(33, 39),
}

export function chooseInk(isTerminal: boolean, env: Env): Ink {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? COLOURED : PLAIN
}

function style(on: number, off: number): (text: string) => string {
  return (text) => (text === '' ? text : `\x1b[${on}m${text}\x1b[${off}m`)
}
