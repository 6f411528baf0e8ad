import { nodeFs } from '../files/slow-modules.ts'

/** Rings the bell of the terminal that started this process, also if its output goes elsewhere. */
export function ringBell(): string | null {
  try {
    nodeFs().writeFileSync('/dev/tty', '\u0007')
    return null
  } catch {
    return 'there is no terminal'
  }
}
