/** How a task's files and criteria fall into groups: by folder, by layer, or by what is to be accepted. */
import { basename, dirname, extname } from 'node:path/posix'
import { isTestFile, LAYERS, type Layer, layerOf, layerWords, testedStem, wordsOf } from './layers.ts'

export const STRATEGIES = ['files', 'layers', 'criteria'] as const
export type Strategy = (typeof STRATEGIES)[number]

/** A piece of a task: some of its files and, by their place in the list, some of its criteria. */
export interface Piece {
  /** What sets it apart from the rest; empty for the whole. */
  label: string
  files: readonly string[]
  criteria: readonly number[]
}

export interface Grouping {
  criteria: readonly string[]
  /** Would a piece with this in it be small enough? */
  fits: (piece: Omit<Piece, 'label'>) => boolean
}

/** The piece divided, in the order in which its parts are to be done; itself alone where the strategy finds no seam. */
export function dividePiece(piece: Piece, strategy: Strategy, grouping: Grouping): Piece[] {
  const groups = GROUPINGS[strategy](piece, grouping).filter(
    ({ files, criteria }) => files.length > 0 || criteria.length > 0,
  )
  if (groups.length < 2) return [piece]
  const labels = groups.map(({ label }) => nameWithin(piece.label, label))
  return groups.map((group, at) => ({ ...group, label: numbered(labels, at) }))
}

const GROUPINGS: Record<Strategy, (piece: Piece, grouping: Grouping) => Piece[]> = {
  files: groupByFolder,
  layers: groupByLayer,
  criteria: groupByCriteria,
}

function groupByFolder(piece: Piece, grouping: Grouping): Piece[] {
  const units = unitsOf(piece.files)
  const folders = [...Map.groupBy(units, ({ folder }) => folder).values()]
  // Which criteria a group will get is not known yet: it must be small enough with all of them and with none.
  const isSmall = (group: readonly Unit[]) =>
    [piece.criteria, []].every((criteria) => grouping.fits({ files: filesIn(group), criteria }))
  const packed = packFolders(folders, isSmall)
  const groups = packed.length > 1 ? packed : folders.length > 1 ? folders : halve(units)
  const pieces = groups.map((group) => ({
    label: nameFolders(group.map(({ folder }) => folder)),
    files: filesIn(group),
    words: filesIn(group).flatMap(wordsOf),
  }))
  return withCriteria(pieces, piece, grouping)
}

/** As few groups as are small enough, each folder whole where it can be. */
function packFolders(folders: readonly Unit[][], isSmall: (group: readonly Unit[]) => boolean): Unit[][] {
  const groups: Unit[][] = []
  for (const folder of folders) {
    for (const bundle of isSmall(folder) ? [folder] : folder.map((unit) => [unit])) {
      const last = groups.at(-1)
      if (last !== undefined && isSmall([...last, ...bundle])) last.push(...bundle)
      else groups.push([...bundle])
    }
  }
  return groups
}

function groupByLayer(piece: Piece, grouping: Grouping): Piece[] {
  const units = unitsOf(piece.files)
  const neighbours = new Map(units.map(({ folder, layer }) => [folder, layer] as const).filter(([, layer]) => layer))
  const layers = Map.groupBy(units, ({ folder, layer }): Layer => layer ?? neighbours.get(folder) ?? 'business')
  const pieces = LAYERS.flatMap((layer) => {
    const files = filesIn(layers.get(layer) ?? [])
    const words = [...files.flatMap(wordsOf), ...layerWords(layer).flatMap(wordsOf)]
    return files.length === 0 ? [] : [{ label: layer === 'test' ? 'tests' : `${layer} layer`, files, words }]
  })
  return withCriteria(pieces, piece, grouping)
}

function groupByCriteria(piece: Piece, { criteria, fits }: Grouping): Piece[] {
  const own = piece.criteria.map((at) => ({ at, words: wordsOf(criteria[at] ?? '') }))
  const files = new Map<number, string[]>(piece.criteria.map((at) => [at, []]))
  for (const unit of unitsOf(piece.files)) {
    const best = bestMatch(unit.files.flatMap(wordsOf), own) ?? own[0]
    if (best !== undefined) files.get(best.at)?.push(...unit.files)
  }
  const filesFor = (group: readonly number[]) => group.flatMap((at) => files.get(at) ?? [])
  const packed: number[][] = []
  for (const at of piece.criteria) {
    const last = packed.at(-1)
    if (last !== undefined && fits({ files: filesFor([...last, at]), criteria: [...last, at] })) last.push(at)
    else packed.push([at])
  }
  const groups = packed.length > 1 ? packed : halve(piece.criteria)
  return groups.map((group) => ({ label: nameCriteria(group, criteria), files: filesFor(group), criteria: group }))
}

/**
 * Each criterion goes where the files are that it speaks of. One that speaks of all or none goes to the last part: only
 * then is everything there that it may need.
 */
function withCriteria(
  pieces: readonly { label: string; files: string[]; words: string[] }[],
  { criteria }: Piece,
  grouping: Grouping,
): Piece[] {
  const given = new Map(pieces.map((piece) => [piece, [] as number[]]))
  for (const at of criteria) {
    const chosen = bestMatch(wordsOf(grouping.criteria[at] ?? ''), pieces) ?? pieces.at(-1)
    if (chosen !== undefined) given.get(chosen)?.push(at)
  }
  return pieces.map((piece) => ({ label: piece.label, files: piece.files, criteria: given.get(piece) ?? [] }))
}

/** The candidate that shares most words, each weighing less the more candidates have it; of equal ones the last. */
function bestMatch<T extends { words: readonly string[] }>(spoken: readonly string[], candidates: readonly T[]) {
  const sets = candidates.map(({ words }) => new Set(words))
  const weights = candidates.map(() => 0)
  for (const word of new Set(spoken)) {
    const holders = [...sets.keys()].filter((at) => sets[at]?.has(word))
    if (holders.length === candidates.length) continue
    for (const at of holders) weights[at] = (weights[at] ?? 0) + 1 / holders.length
  }
  const most = Math.max(0, ...weights)
  return most === 0 ? undefined : candidates[weights.lastIndexOf(most)]
}

/** Files that are never parted: one, and what tests it. */
interface Unit {
  folder: string
  layer: Layer | null
  files: string[]
}

function unitsOf(files: readonly string[]): Unit[] {
  const sources = files.filter((file) => !isTestFile(file))
  const units = new Map(sources.map((file) => [file, { folder: dirname(file), layer: layerOf(file), files: [file] }]))
  for (const file of files.filter(isTestFile)) {
    const subject = units.get(subjectOf(file, sources) ?? '')
    if (subject) subject.files.push(file)
    else units.set(file, { folder: dirname(file), layer: 'test', files: [file] })
  }
  return [...units.values()]
}

/** Of several files with the tested name, the one whose path has most in common with the test's. */
function subjectOf(test: string, sources: readonly string[]): string | undefined {
  const stem = testedStem(test) ?? stemOf(test)
  const folders = new Set(dirname(test).split('/'))
  const nearness = (file: string) =>
    dirname(file)
      .split('/')
      .filter((folder) => folders.has(folder)).length
  return sources.filter((file) => stemOf(file) === stem).toSorted((a, b) => nearness(b) - nearness(a))[0]
}

function stemOf(path: string): string {
  return basename(path, extname(path)).toLowerCase()
}

function filesIn(units: readonly Unit[]): string[] {
  return units.flatMap(({ files }) => files)
}

function halve<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)]
}

function nameFolders(folders: readonly string[]): string {
  const names = [...new Set(folders)].map((folder) => (folder === '.' ? 'top folder' : folder))
  return names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(' and ')
}

function nameCriteria(group: readonly number[], criteria: readonly string[]): string {
  const first = (criteria[group[0] ?? 0] ?? '').trim().split('\n', 1)[0] ?? ''
  return group.length > 1 ? `${first} and ${group.length - 1} more` : first
}

function nameWithin(whole: string, part: string): string {
  return whole === '' ? part : whole.includes(part) ? whole : `${whole}, ${part}`
}

/** Two parts of one folder are told apart by a number. */
function numbered(labels: readonly string[], at: number): string {
  const label = labels[at] ?? ''
  const same = labels.flatMap((other, index) => (other === label ? [index] : []))
  return same.length > 1 ? `${label} (${same.indexOf(at) + 1})` : label
}
