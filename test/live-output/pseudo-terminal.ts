import { bin } from '../support/built-program.ts'
import type { Env } from '../support/run-process.ts'
import { aScreen, type Screen } from './screen.ts'

/** A program on a terminal of its own, and what one would see there. */
export interface Terminal {
  screen: Screen
  /** Everything the program wrote. */
  written(): string
  type(keys: string): void
  resize(columns: number, rows: number): void
  /** Waits until the screen satisfies; fails with what it shows instead. */
  until(isReached: (lines: string[]) => boolean): Promise<string[]>
  kill(signal: NodeJS.Signals): void
  exited: Promise<number>
}

export interface TerminalOptions {
  cwd: string
  env: Env
  columns?: number
  rows?: number
}

const PATIENCE_MS = 20_000

export function onTerminal([program = '', ...args]: string[], options: TerminalOptions): Terminal {
  const { cwd, columns = 80, rows = 24 } = options
  const screen = aScreen(columns, rows)
  const decoder = new TextDecoder()
  let written = ''
  const take = (bytes: Uint8Array) => {
    const text = decoder.decode(bytes, { stream: true })
    written += text
    screen.write(text)
  }
  const argv = [program === 'gza' ? bin('gza') : program, ...args]
  const env = { ...options.env, TERM: 'xterm-256color' }
  // What the program wrote last may come after its end; the terminal closes after it.
  const closed = Promise.withResolvers<void>()
  const terminal = {
    cols: columns,
    rows,
    data: (_: unknown, bytes: Uint8Array) => take(bytes),
    exit: () => closed.resolve(),
  }
  const child = Bun.spawn(argv, { cwd, env, terminal })
  return {
    screen,
    written: () => written,
    type: (keys) => child.terminal?.write(keys),
    resize(width, height) {
      screen.resize(width, height)
      child.terminal?.resize(width, height)
    },
    async until(isReached) {
      const end = Date.now() + PATIENCE_MS
      while (!isReached(screen.lines())) {
        if (Date.now() > end) throw new Error(`it never showed; instead:\n${screen.lines().join('\n')}`)
        await Bun.sleep(20)
      }
      return screen.lines()
    },
    kill: (signal) => child.kill(signal),
    exited: Promise.all([child.exited, closed.promise]).then(([code]) => code),
  }
}
