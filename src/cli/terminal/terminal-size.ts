import { WriteStream } from 'node:tty'

export interface TerminalSize {
  columns: number
  rows: number
}

/** The current size of the terminal on stdout. Each call opens a new stream, because an open one does not follow a resize. */
export function terminalSize(): TerminalSize {
  const [columns, rows] = new WriteStream(1).getWindowSize()
  return { columns: columns || 80, rows: rows || 24 }
}

/** The size, kept up to date until `release`. */
export function followSize(changed: () => void = () => {}): { now(): TerminalSize; release(): void } {
  let size = terminalSize()
  const resized = () => {
    size = terminalSize()
    changed()
  }
  process.on('SIGWINCH', resized)
  return { now: () => size, release: () => process.off('SIGWINCH', resized) }
}
