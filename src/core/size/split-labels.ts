/** The names of the parts of a split, besides the name of the whole: what distinguishes each from the others. */
import { dirname } from 'node:path/posix'
import type { Piece } from './split-groups.ts'
import { unitsOf } from './split-units.ts'

/** One label for each piece, in their order, all different. */
export function labelPieces(pieces: readonly Piece[]): string[] {
  const folders = pieces.map((piece) => (piece.isByFolder ? foldersOf(piece) : []))
  const parted = countParts(folders)
  const seen = new Map<string, number>()
  const names = pieces.map(({ label }, at) => {
    const own = (folders[at] ?? []).map((folder) => {
      const nth = (seen.get(folder) ?? 0) + 1
      seen.set(folder, nth)
      const name = shortFolder(folder)
      return (parted.get(folder) ?? 0) > 1 && folder !== '.' ? `${name} (${nth})` : name
    })
    return [label, joinNames(own)].filter(Boolean).join(', ')
  })
  return names.map((name, at) => numbered(names, name, at))
}

/** The folders of the piece in the order of work, the top one last, without folders inside another of them. */
function foldersOf({ files }: Piece): string[] {
  const found = [...new Set(unitsOf(files).map(({ folder }) => folder))]
  const all = [...found.filter((folder) => folder !== '.'), ...found.filter((folder) => folder === '.')]
  return all.filter((folder) => !all.some((other) => other !== folder && isWithin(folder, other)))
}

function isWithin(folder: string, other: string): boolean {
  for (let up = dirname(folder); up !== '.' && up !== '/'; up = dirname(up)) if (up === other) return true
  return false
}

function countParts(folders: readonly string[][]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const folder of folders.flat()) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  return counts
}

/** A longer label is cut off in a title. */
export const LONGEST_LABEL = 48
const LONGEST_FOLDER = 22

/** `…/acme/orders`: the end of a path is the most specific. */
function shortFolder(folder: string): string {
  if (folder === '.') return 'top folder'
  if (folder.length <= LONGEST_FOLDER) return folder
  const segments = folder.split('/')
  let short = segments.at(-1) ?? ''
  for (const segment of segments.slice(0, -1).reverse()) {
    if (`…/${segment}/${short}`.length > LONGEST_FOLDER) break
    short = `${segment}/${short}`
  }
  return segments.join('/') === short ? short : `…/${short}`
}

function joinNames(names: readonly string[]): string {
  if (names.length < 3) return names.join(' and ')
  const two = `${names[0]}, ${names[1]} and ${names.length - 2} more`
  return two.length <= LONGEST_LABEL ? two : `${names[0]} and ${names.length - 1} more`
}

function numbered(names: readonly string[], name: string, at: number): string {
  const same = names.flatMap((other, index) => (other === name ? [index] : []))
  return same.length > 1 ? `${name} (${same.indexOf(at) + 1})` : name
}
