/**
 * Lines at the bottom of the terminal that are redrawn in place while ordinary lines scroll above them. The cursor stays
 * visible below the last one and no mode of the terminal is changed, so nothing has to be restored, even after kill -9.
 */

import { widthOf } from './fit-to.ts'
import type { Output } from './output.ts'
import { followSize, type TerminalSize } from './terminal-size.ts'

export interface LiveBlock {
  /** Removes the block, prints ordinary lines, and draws the block below them again. */
  above(print: () => void): void
  /** Removes the block and stops redrawing it. */
  end(): void
}

const REDRAW_MS = 125

/** `compose` returns the lines: fewer than the terminal has, and each narrower than it. */
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
  // After SIGSTOP and SIGCONT the shell's own lines are where the block was.
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

/** What replaces the lines on the terminal by others. They are overwritten without erasing them first: no flicker. */
export function redraw(drawn: readonly string[], lines: readonly string[], columns: number): string {
  const rows = drawn.reduce((sum, line) => sum + rowsOf(line, columns), 0)
  const up = rows > 0 ? `\r\x1b[${rows}A` : '\r'
  // A terminal remembers which rows it has wrapped, and would join them to our lines when it becomes wider.
  const erase = rows > drawn.length ? '\x1b[J' : ''
  return `${up}${erase}${lines.map((line) => `${line}\x1b[K\n`).join('')}\x1b[J`
}

/** More than one if the terminal has become narrower than the line. */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(line) / columns))
}
