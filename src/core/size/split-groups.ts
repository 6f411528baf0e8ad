/** Divides a task's files and criteria into groups: by folder, by layer, or by criteria. */
import { firstLine } from '../text/first-line.ts'
import { LAYERS } from './layers.ts'
import { bestMatches, matchPoints, spreadCriteria, subjectOf } from './split-criteria.ts'
import { filesIn, ranksOf, type Unit, unitsOf } from './split-units.ts'
import type { Strategy } from './strategies.ts'

/** A piece of a task: some of its files and, by their index, some of its criteria. */
export interface Piece {
  /** What distinguishes it from the rest, besides its folders; empty for the whole. */
  label: string
  /** Its folders are part of its name too. */
  isByFolder: boolean
  files: readonly string[]
  criteria: readonly number[]
}

type Group = Pick<Piece, 'files' | 'criteria'>

export interface Grouping {
  criteria: readonly string[]
  /** Files that exist already: several parts can change one of them, one after the other. */
  shared: ReadonlySet<string>
  /** Would a piece with this group in it be small enough? */
  fits: (group: Group) => boolean
}

/** The divided piece, in the order of work; itself alone if the strategy cannot divide it. */
export function dividePiece(piece: Piece, strategy: Strategy, grouping: Grouping): Piece[] {
  const groups = GROUPINGS[strategy](piece, grouping).filter(
    ({ files, criteria }) => files.length > 0 || criteria.length > 0,
  )
  return groups.length < 2 ? [piece] : groups
}

const GROUPINGS: Record<Strategy, (piece: Piece, grouping: Grouping) => Piece[]> = {
  files: groupByFolder,
  layers: groupByLayer,
  criteria: groupByCriteria,
}

function groupByFolder(piece: Piece, grouping: Grouping): Piece[] {
  const folders = [...Map.groupBy(unitsOf(piece.files), ({ folder }) => folder).values()]
  const likely = likelyCriteria(folders, piece, grouping)
  const isSmall = (group: readonly Unit[]) => grouping.fits({ files: filesIn(group), criteria: likely(group) })
  const staysWhole = (folder: Unit[]) =>
    folder[0]?.folder !== '.' && isSmall(folder) && !folders.some((other) => comesBetween(other, folder))
  const bundles = folders.flatMap((folder) => (staysWhole(folder) ? [folder] : byRank(folder, isSmall)))
  const ordered = bundles.toSorted((a, b) => ranksOf(a).last - ranksOf(b).last)
  const packed = packEvenly(ordered, isSmall)
  const groups = packed.length > 1 ? packed : ordered.length > 1 ? ordered : halve(ordered.flat())
  const spread = spreadOver(groups.map(filesIn), piece, grouping)
  return groups.map((group, at) => ({
    label: piece.label,
    isByFolder: true,
    files: filesIn(group),
    criteria: spread[at] ?? [],
  }))
}

/** Some of the folder is needed by the other one, or needs it: a migration comes between a model and its page. */
function comesBetween(other: readonly Unit[], folder: readonly Unit[]): boolean {
  const { first, last } = ranksOf(folder)
  return other !== folder && other.some(({ rank }) => first <= rank && rank < last)
}

/** Divides a folder that is too large, and keeps together what is done together if possible. */
function byRank(folder: readonly Unit[], isSmall: (group: readonly Unit[]) => boolean): Unit[][] {
  const ranks = [...Map.groupBy(folder, ({ rank }) => rank).values()]
  return ranks.flatMap((units) => (isSmall(units) ? [units] : units.map((unit) => [unit])))
}

/** As few groups as are small enough, and as even as the bundles allow. */
function packEvenly(bundles: readonly Unit[][], isSmall: (group: readonly Unit[]) => boolean): Unit[][] {
  const packed = packBundles(bundles, isSmall)
  const total = filesIn(bundles.flat()).length
  for (let most = Math.ceil(total / packed.length); most < total; most++) {
    const even = packBundles(bundles, (group) => filesIn(group).length <= most && isSmall(group))
    if (even.length === packed.length) return even
  }
  return packed
}

/** As few groups as are small enough, in their order. */
function packBundles(bundles: readonly Unit[][], isSmall: (group: readonly Unit[]) => boolean): Unit[][] {
  const groups: Unit[][] = []
  for (const bundle of bundles) {
    const last = groups.at(-1)
    if (last !== undefined && isSmall([...last, ...bundle])) last.push(...bundle)
    else groups.push([...bundle])
  }
  return groups
}

/**
 * A group's criteria are not known before all groups are. These are the likely ones: those that mention its folders
 * most.
 */
function likelyCriteria(folders: readonly Unit[][], { criteria }: Piece, grouping: Grouping) {
  const subjects = folders.map((folder) => subjectOf(filesIn(folder)))
  const mentions = criteria.map((at) => {
    const best = bestMatches(grouping.criteria[at] ?? '', subjects)
    return { at, folders: new Set(best.map((place) => folders[place]?.[0]?.folder)) }
  })
  return (group: readonly Unit[]) =>
    mentions.filter((matched) => group.some(({ folder }) => matched.folders.has(folder))).map(({ at }) => at)
}

function groupByLayer(piece: Piece, grouping: Grouping): Piece[] {
  const units = unitsOf(piece.files)
  const last = LAYERS.findLast((layer) => layer !== 'test' && units.some((unit) => unit.layer === layer)) ?? 'business'
  const layers = Map.groupBy(units, ({ layer }) => layer ?? last)
  const groups = LAYERS.flatMap((layer) => {
    const files = filesIn(layers.get(layer) ?? [])
    return files.length === 0 ? [] : [{ name: layer === 'test' ? 'tests' : `${layer} layer`, files }]
  })
  const spread = spreadOver(
    groups.map(({ files }) => files),
    piece,
    grouping,
  )
  return groups.map(({ name, files }, at) => ({
    ...piece,
    label: nameWithin(piece.label, name),
    files,
    criteria: spread[at] ?? [],
  }))
}

function spreadOver(groups: readonly (readonly string[])[], { criteria }: Piece, grouping: Grouping): number[][] {
  return spreadCriteria(groups, new Map(criteria.map((at) => [at, grouping.criteria[at] ?? ''])))
}

function groupByCriteria(piece: Piece, { criteria, fits, shared }: Grouping): Piece[] {
  const files = filesByCriterion(piece, criteria)
  const changed = piece.files.filter((file) => shared.has(file))
  const filesFor = (group: readonly number[]) => {
    const own = group.flatMap((at) => files.get(at) ?? [])
    return own.length > 0 || !fits({ files: changed, criteria: group }) ? own : changed
  }
  const packed: number[][] = []
  for (const at of piece.criteria) {
    const last = packed.at(-1)
    if (last !== undefined && fits({ files: filesFor([...last, at]), criteria: [...last, at] })) last.push(at)
    else packed.push([at])
  }
  const groups = packed.length > 1 ? packed : halve(piece.criteria)
  return groups.map((group) => ({
    ...piece,
    label: nameWithin(piece.label, nameCriteria(group, criteria)),
    files: filesFor(group),
    criteria: group,
  }))
}

/**
 * Each unit goes with the criterion that mentions it. All parts may need a unit that no criterion mentions, so it is
 * done first.
 */
function filesByCriterion(piece: Piece, criteria: readonly string[]): Map<number, string[]> {
  const files = new Map<number, string[]>(piece.criteria.map((at) => [at, []]))
  const units = unitsOf(piece.files)
  const subjects = units.map((unit) => subjectOf(unit.files))
  const matched = piece.criteria.map((at) => ({ at, points: matchPoints(criteria[at] ?? '', subjects) }))
  for (const [place, unit] of units.entries()) {
    const most = Math.max(...matched.map(({ points }) => points[place] ?? 0))
    const found = matched.find(({ points }) => most > 0 && points[place] === most) ?? matched[0]
    if (found !== undefined) files.get(found.at)?.push(...unit.files)
  }
  return files
}

function halve<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)]
}

export function nameCriteria(group: readonly number[], criteria: readonly string[]): string {
  const first = firstLine((criteria[group[0] ?? 0] ?? '').trim())
  return group.length > 1 ? `${first} and ${group.length - 1} more` : first
}

function nameWithin(whole: string, part: string): string {
  return whole === '' ? part : whole.includes(part) ? whole : `${whole}, ${part}`
}
