import { quickStatOfDescriptor } from '../files/quick-stat.ts'

/** Whether a descriptor is a terminal. node:tty takes 2 ms to load, so it is used only for what can be one. */
export function isTerminal(descriptor: number): Promise<boolean> {
  return canBeTerminal(descriptor) ? askTty(descriptor) : Promise.resolve(false)
}

/** The same where nobody can wait for the answer. */
export function isTerminalNow(descriptor: number): boolean {
  const tty: () => typeof import('node:tty') = () => require('node:tty')
  return canBeTerminal(descriptor) && tty().isatty(descriptor)
}

function askTty(descriptor: number): Promise<boolean> {
  return import('node:tty').then(({ isatty }) => isatty(descriptor))
}

export const NO_TERMINAL = { width: null, height: null }

/** Columns and lines of the terminal behind a descriptor; null if it does not report them. */
export function terminalSize(descriptor: number): Promise<{ width: number | null; height: number | null }> {
  return import('node:tty').then(({ WriteStream }) => {
    const { columns, rows } = new WriteStream(descriptor)
    return { width: columns || null, height: rows || null }
  })
}

function canBeTerminal(descriptor: number): boolean {
  const file = quickStatOfDescriptor(descriptor)
  return file?.kind === 'device' && file.device !== NULL_DEVICE
}

/** /dev/null on Linux, where scripts send their output. */
const NULL_DEVICE = '1:3'
