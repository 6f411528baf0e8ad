/**
 * How the broker starts gza for a call from inside a box: as `__boxed NAME WIDTH STYLE …`, then the words of the call.
 * A gza that does not know the first word refuses the call, so none ever runs one without judging it.
 */
export const BOXED = '__boxed'

/** How gza starts itself in a box to commit what an agent left there. */
export const KEEP = '__keep'

/** The agent of the demonstration is gza itself. It works inside the box like any other, and asks no broker. */
export const DEMO_AGENT = '__demo-agent'

/** How the caller inside the box is called, and what its output can show. */
export interface CallerDisplay {
  name: 'gza' | 'git-tasks'
  /** Columns of its terminal; null if it has none. */
  width: number | null
  coloured: boolean
}

export function boxedWords({ name, width, coloured }: CallerDisplay, argv: readonly string[]): string[] {
  return [BOXED, name, String(width ?? NONE), coloured ? COLOURED : 'plain', ...argv]
}

/** The opposite. `words` begin with BOXED. */
export function readBoxedWords(words: readonly string[]): { display: CallerDisplay; argv: string[] } {
  const [, name, width, style, ...argv] = words
  return {
    display: {
      name: name === 'git-tasks' ? name : 'gza',
      width: width === NONE ? null : Number(width),
      coloured: style === COLOURED,
    },
    argv,
  }
}

const NONE = '-'
const COLOURED = 'coloured'
