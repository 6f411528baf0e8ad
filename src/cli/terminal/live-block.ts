/**
 * Lines at the bottom of the terminal that are redrawn in place while ordinary lines scroll above them. The cursor stays
 * visible below the last one and no mode of the terminal is changed, so that an end of any kind, kill -9 included, leaves
 * nothing to restore.
 */

import { widthOf } from './fit-to.ts'
import type { Output } from './output.ts'
import { followSize, type TerminalSize } from './terminal-size.ts'

export interface LiveBlock {
  /** Runs what prints ordinary lines, with the block out of their way. */
  above(print: () => void): void
  /** Takes the block away for good. */
  end(): void
}

const REDRAW_MS = 125

/** `compose` gives the lines, each shorter than the terminal is wide, and fewer than it is high. */
export function openLiveBlock(out: Output, compose: (size: TerminalSize) => string[]): LiveBlock {
  const size = followSize()
  let drawn: string[] = []
  const draw = (lines: string[]) => {
    if (lines.join('\n') !== drawn.join('\n')) out.write(redraw(drawn, lines, size.now().columns))
    drawn = lines
  }
  const drawNow = () => {
    draw(compose(size.now()))
    out.flush()
  }
  // After a stop and a continuation the shell's own lines stand where the block was.
  const continued = () => {
    drawn = []
  }
  process.on('SIGCONT', continued)
  const timer = setInterval(drawNow, REDRAW_MS)
  return {
    above(print) {
      draw([])
      print()
      drawNow()
    },
    end() {
      clearInterval(timer)
      draw([])
      out.flush()
      size.release()
      process.off('SIGCONT', continued)
    },
  }
}

/** What turns the lines on the terminal into others: written over, not erased first, so that nothing flickers. */
export function redraw(drawn: readonly string[], lines: readonly string[], columns: number): string {
  const rows = drawn.reduce((sum, line) => sum + rowsOf(line, columns), 0)
  const up = rows > 0 ? `\r\x1b[${rows}A` : '\r'
  // A terminal remembers of rows it has wrapped that they are one line, and would join ours to it when it grows again.
  const erase = rows > drawn.length ? '\x1b[J' : ''
  return `${up}${erase}${lines.map((line) => `${line}\x1b[K\n`).join('')}\x1b[J`
}

/** More than one where the terminal became narrower than the line. */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(line) / columns))
}
