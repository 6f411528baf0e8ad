import { fstatSync } from 'node:fs'

/** Whether a descriptor is a terminal. node:tty takes 2 ms to load, so it is used only for what can be one. */
export async function isTerminal(descriptor: number): Promise<boolean> {
  if (!canBeTerminal(descriptor)) return false
  const { isatty } = await import('node:tty')
  return isatty(descriptor)
}

/** Columns of the terminal behind a descriptor; null if it is not one, or does not report them. */
export async function terminalWidth(descriptor: number): Promise<number | null> {
  if (!(await isTerminal(descriptor))) return null
  const { WriteStream } = await import('node:tty')
  return new WriteStream(descriptor).columns || null
}

function canBeTerminal(descriptor: number): boolean {
  try {
    const { rdev, isCharacterDevice } = stat(descriptor)
    return isCharacterDevice && rdev !== NULL_DEVICE
  } catch {
    // A closed descriptor.
    return false
  }
}

function stat(descriptor: number): { rdev: number; isCharacterDevice: boolean } {
  const stats = fstatSync(descriptor)
  return { rdev: stats.rdev, isCharacterDevice: stats.isCharacterDevice() }
}

/** /dev/null on Linux, where scripts send their output. */
const NULL_DEVICE = 0x103
