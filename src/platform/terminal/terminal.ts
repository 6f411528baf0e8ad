import { fstatSync } from 'node:fs'

/** Whether a descriptor is a terminal. node:tty takes 2 ms to load, so it is asked only about what can be one. */
export async function isTerminal(descriptor: number): Promise<boolean> {
  if (!canBeTerminal(descriptor)) return false
  const { isatty } = await import('node:tty')
  return isatty(descriptor)
}

/** Columns of the terminal behind a descriptor; null where it is none, or one that doesn't say. */
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
