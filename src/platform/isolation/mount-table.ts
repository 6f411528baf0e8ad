import { readFileSync } from 'node:fs'

export interface MountRow {
  id: string
  parent: string
  place: string
  /** Such as `ro`, `nosuid`, `noexec`. */
  flags: readonly string[]
}

/** The mounts of this process, in the order in which the kernel lists them. */
export function readMounts(): MountRow[] {
  return parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'))
}

export function parseMounts(text: string): MountRow[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [id = '', parent = '', , , place = '', flags = ''] = line.split(' ')
    return { id, parent, place: withoutEscapes(place), flags: flags.split(',') }
  })
}

/** Spaces and the like are written as three octal digits, byte by byte. */
function withoutEscapes(place: string): string {
  return place.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

/** The mount that is seen at a place, and all mounts in it. None: nothing is mounted there. */
export function mountsAt(rows: readonly MountRow[], place: string): MountRow[] {
  const top = rows.findLast((row) => row.place === place)
  const below = (row: MountRow): MountRow[] => [
    row,
    ...rows.filter(({ parent, id }) => parent === row.id && id !== row.id).flatMap(below),
  ]
  return top === undefined ? [] : below(top)
}
