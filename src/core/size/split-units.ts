/** Units that a split keeps together, a file and its tests, and the order in which they are to be done. */
import { basename, dirname, extname } from 'node:path/posix'
import { wordsOf } from '../text/words.ts'
import {
  isDocument,
  isManifest,
  isTestFile,
  isWiring,
  type Layer,
  layerOf,
  TIERS,
  testedStem,
  tierOf,
} from './layers.ts'

export interface Unit {
  folder: string
  /** Null: it belongs to whatever is done last. */
  layer: Layer | null
  /** Units of a lower rank are done first: others build on them. */
  rank: number
  files: string[]
}

export function unitsOf(files: readonly string[]): Unit[] {
  const sources = files.filter((file) => !isTestFile(file))
  const known = withNeighbours(sources)
  const units = new Map(sources.map((file) => [file, { ...placeOf(file, known.get(file) ?? null), files: [file] }]))
  for (const unit of units.values()) if (unit.files.some(isManifest)) joinPackage(unit, [...units.values()])
  for (const file of files.filter(isTestFile)) {
    const subject = units.get(subjectOf(file, sources) ?? '')
    if (subject) subject.files.push(file)
    else units.set(file, { ...placeOf(file, file), files: [file] })
  }
  return [...units.values()]
}

export function filesIn(units: readonly Unit[]): string[] {
  return units.flatMap(({ files }) => files)
}

/** The ranks of the units, from the first to the last. Wiring and documentation count only if there is nothing else. */
export function ranksOf(units: readonly Unit[]): { first: number; last: number } {
  const building = units.filter(({ rank }) => Number.isInteger(rank))
  const ranks = (building.length > 0 ? building : units).map(({ rank }) => rank)
  return { first: Math.min(...ranks), last: Math.max(...ranks) }
}

/** A package's own manifest comes with the package, the top manifest before everything. */
function joinPackage(manifest: Unit, units: readonly Unit[]): void {
  const inPackage = (unit: Unit) => unit.folder.startsWith(`${manifest.folder}/`) && !unit.files.some(isManifest)
  const first = units.filter(inPackage).toSorted((a, b) => a.rank - b.rank)[0]
  if (first) Object.assign(manifest, { folder: first.folder, rank: first.rank })
}

/**
 * For each file the file that decides its layer: itself, otherwise the one before it in its folder, otherwise the one
 * after it.
 */
function withNeighbours(files: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of Map.groupBy(files, dirname).values()) {
    const tells = (file: string) => layerOf(file) !== null && !isWiring(file)
    let last = folder.find(tells)
    for (const file of folder) {
      if (tells(file)) last = file
      if (last !== undefined) found.set(file, last)
    }
  }
  return found
}

/** `like`: the file whose layer it shares; null if no convention applies. */
function placeOf(file: string, like: string | null): Omit<Unit, 'files'> {
  const own = layerOf(file)
  const folder = dirname(file)
  if (isManifest(file)) return { folder, layer: 'business', rank: -1 }
  if (isDocument(file)) return { folder, layer: null, rank: LAST + 0.75 }
  if (isWiring(file) && own !== 'data') return { folder, layer: own, rank: LAST + 0.5 }
  if (like === null) return { folder, layer: 'business', rank: TIERS.indexOf('business') }
  return { folder, layer: layerOf(like), rank: TIERS.indexOf(tierOf(like) ?? 'business') }
}

/** Wiring and documentation are done after everything that people see, and before tests of the whole. */
const LAST = TIERS.indexOf('ui')

/** The file that the test is for: the one with the nearest name, then with the nearest path. */
function subjectOf(test: string, sources: readonly string[]): string | undefined {
  const stem = testedStem(test) ?? stemOf(test)
  if (stem === '') return undefined
  const folders = new Set(dirname(test).split('/'))
  const nearness = (file: string) =>
    dirname(file)
      .split('/')
      .filter((folder) => folders.has(folder)).length
  return sources
    .map((file) => ({ file, likeness: likeness(stem, file), nearness: nearness(file) }))
    .filter((candidate) => candidate.likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness || b.nearness - a.nearness)[0]?.file
}

/**
 * `reports` tests reports.rb, otherwise reports_controller.rb, otherwise report.rb, otherwise a file with all its words
 * in its name.
 */
function likeness(stem: string, file: string): number {
  const name = stemOf(file)
  if (name === stem) return 4
  if (name.startsWith(stem) && /^[._-]/.test(name.slice(stem.length))) return 3
  const [tested, own] = [wordsOf(stem), wordsOf(basename(file, extname(file)))]
  if (tested.join() === own.join()) return 2
  return tested.length > 0 && tested.every((word) => own.includes(word)) ? 1 : 0
}

/** The index file of a folder has the name of the folder. */
function stemOf(path: string): string {
  const name = basename(path, extname(path)).toLowerCase()
  return /^(?:index|mod|__init__)$/.test(name) ? basename(dirname(path)).toLowerCase() : name
}
