/** The styles of the output. Without colours each returns its text unchanged. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  red(text: string): string
  yellow(text: string): string
}

const same = (text: string): string => text

export const PLAIN: Style = { bold: same, dim: same, green: same, red: same, yellow: same }

export const COLOURED: Style = {
  bold: escaped(1, 22),
  dim: escaped(2, 22),
  green: escaped(32, 39),
  red: escaped(31, 39),
  yellow: escaped(33, 39),
}

/** NO_COLOR wins over FORCE_COLOR. Without both, colours are for terminals. */
export function chooseStyle(isTerminal: boolean, env: Record<string, string | undefined>): Style {
  if (env.NO_COLOR) return PLAIN
  const force = env.FORCE_COLOR
  if (force) return force === '0' || force === 'false' ? PLAIN : COLOURED
  return isTerminal && env.TERM !== 'dumb' ? COLOURED : PLAIN
}

function escaped(on: number, off: number): (text: string) => string {
  return (text) => (text === '' ? text : `\x1b[${on}m${text}\x1b[${off}m`)
}
