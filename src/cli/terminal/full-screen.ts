/**
 * The whole terminal for one view: the alternate screen, no cursor, keys as they are pressed. However it ends, the
 * terminal is restored.
 */
import { isatty, ReadStream } from 'node:tty'
import type { CallContext } from '../call-context.ts'
import { widthOf } from './fit-to.ts'
import { followSize, type TerminalSize } from './terminal-size.ts'

export interface FullScreen {
  size(): TerminalSize
  /** Shows the lines, the first one at the top. Only changed lines are written. */
  draw(lines: readonly string[]): void
  /** Resolves when the person wants to leave. */
  left: Promise<void>
  close(): void
}

type ScreenContext = Pick<CallContext, 'out' | 'endingSignals'>

// The alternate screen, no cursor, and no wrapping, so that a character of unexpected width does not move the rest.
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J'
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l'

export function openFullScreen({ out, endingSignals }: ScreenContext, resized: () => void): FullScreen {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const write = (text: string) => {
    out.write(text)
    out.flush()
  }
  let drawn: readonly string[] = []
  const enter = () => {
    drawn = []
    write(ENTER)
  }
  const keys = listenForKeys({ leave, suspend: () => write(LEAVE), resume: () => [enter(), resized()] })
  const size = followSize(() => {
    drawn = []
    write('\x1b[2J')
    resized()
  })
  for (const signal of endingSignals()) process.on(signal, leave)
  const restore = () => {
    try {
      write(LEAVE)
    } catch {
      // The terminal was closed.
    }
  }
  process.on('exit', restore)
  enter()
  return {
    size: size.now,
    draw(lines) {
      write(changedLines(drawn, lines, size.now().columns))
      drawn = lines
    },
    left,
    close() {
      process.off('exit', restore)
      for (const signal of endingSignals()) process.off(signal, leave)
      size.release()
      keys.release()
      restore()
    },
  }
}

export function changedLines(drawn: readonly string[], lines: readonly string[], columns: number): string {
  const count = Math.max(drawn.length, lines.length)
  return Array.from({ length: count }, (_, at) => at)
    .filter((at) => drawn[at] !== lines[at])
    .map((at) => `\x1b[${at + 1};1H${withoutRest(lines[at] ?? '', columns)}`)
    .join('')
}

/** After a full line the cursor is still on the last character, which would be erased too. */
function withoutRest(line: string, columns: number): string {
  return widthOf(line) < columns ? `${line}\x1b[K` : line
}

interface KeyActions {
  leave(): void
  suspend(): void
  resume(): void
}

const CTRL_C = '\x03'
const CTRL_Z = '\x1a'

/** In raw mode Ctrl-C and Ctrl-Z are plain keys, so they are handled here. */
function listenForKeys({ leave, suspend, resume }: KeyActions): { release(): void } {
  if (!isatty(0)) return { release() {} }
  const input = new ReadStream(0)
  const pressed = (bytes: Buffer) => {
    const keys = bytes.toString()
    if (keys === CTRL_Z) {
      suspend()
      input.setRawMode(false)
      process.kill(process.pid, 'SIGTSTP')
    } else if (/[qQ]/.test(keys) || keys.includes(CTRL_C)) leave()
  }
  const continued = () => {
    input.setRawMode(true)
    resume()
  }
  const giveBack = () => input.setRawMode(false)
  input.on('data', pressed)
  input.setRawMode(true)
  process.on('SIGCONT', continued)
  process.on('exit', giveBack)
  return {
    release() {
      process.off('SIGCONT', continued)
      process.off('exit', giveBack)
      giveBack()
      input.destroy()
    },
  }
}
