/** Decides which part of a split fulfils a criterion: the one whose files, or kind of files, it mentions. */
import { basename, dirname, extname } from 'node:path/posix'
import { rootsOf } from '../text/words.ts'
import { isTestFile, isWiring, TIERS, type Tier, tierOf } from './layers.ts'

/** For each group of files, the indices of its criteria; each criterion is in one group. */
export function spreadCriteria(groups: readonly (readonly string[])[], criteria: ReadonlyMap<number, string>) {
  const spread = groups.map((): number[] => [])
  const open: { at: number; best: number[] }[] = []
  const subjects = groups.map(subjectOf)
  for (const [at, text] of criteria) {
    const best = bestMatches(text, subjects)
    const [only] = best
    if (best.length === 1 && only !== undefined) spread[only]?.push(at)
    else open.push({ at, best: isAboutAll(text) ? [groups.length - 1] : best })
  }
  for (const { at, best } of open) {
    const least = Math.min(...best.map((group) => spread[group]?.length ?? 0))
    // Of equal ones the last: by then, more of what it may need exists.
    const chosen = best.findLast((group) => spread[group]?.length === least)
    if (chosen !== undefined) spread[chosen]?.push(at)
  }
  return spread.map((own) => own.toSorted((a, b) => a - b))
}

/** The indices of the groups that a text mentions most; all of them if it mentions none more than the others. */
export function bestMatches(text: string, subjects: readonly Subject[]): number[] {
  const points = matchPoints(text, subjects)
  const most = Math.max(...points)
  return points.flatMap((sum, at) => (sum === most ? [at] : []))
}

/** How much a text is about each subject: a word counts less the more subjects share it, and nothing if all do. */
export function matchPoints(text: string, subjects: readonly Subject[]): number[] {
  const points = subjects.map(() => 0)
  const give = (weight: (subject: Subject) => number) => {
    const weights = subjects.map(weight)
    const holders = weights.filter((found) => found > 0).length
    if (holders === subjects.length) return
    for (const [at, found] of weights.entries()) points[at] = (points[at] ?? 0) + found / Math.max(1, holders)
  }
  const mentioned = /(?:^|\s)--\w/.test(text) ? `${text} flag` : text
  for (const word of new Set(rootsOf(mentioned))) give(({ words }) => words.get(word) ?? 0)
  const hasService = subjects.some(({ tiers }) => tiers.has('business'))
  for (const [tier, times] of mentionedTiers(text)) {
    const meant = tier === 'business' && !hasService ? 'api' : tier
    give(({ tiers }) => (tiers.has(meant) ? TIER_WEIGHT * Math.min(times, 2) : 0))
  }
  return points
}

/** What a group of files is about: the words of its paths with their weights, and its tiers. */
export interface Subject {
  words: ReadonlyMap<string, number>
  tiers: ReadonlySet<Tier>
}

export function subjectOf(files: readonly string[]): Subject {
  const words = new Map<string, number>()
  for (const word of files.flatMap((file) => rootsOf(dirname(file)))) words.set(word, FOLDER_WEIGHT)
  for (const word of files.flatMap((file) => rootsOf(basename(file, extname(file))))) words.set(word, NAME_WEIGHT)
  if (files.some(isWiring)) for (const word of rootsOf(STARTING)) words.set(word, NAME_WEIGHT)
  const sources = files.filter((file) => !isTestFile(file))
  const counted = sources.length > 0 ? sources : files
  return { words, tiers: new Set(counted.flatMap((file) => tierOf(file) ?? [])) }
}

/** Words about a program's entry. */
const STARTING = 'start boot launch flag option argument port'

const NAME_WEIGHT = 2
const FOLDER_WEIGHT = 1
const TIER_WEIGHT = 1.5

function mentionedTiers(text: string): Map<Tier, number> {
  const roots = new Set(rootsOf(text))
  const counts = TIERS.map((tier) => [tier, TIER_WORDS[tier].filter((word) => roots.has(word)).length] as const)
  const found = new Map(counts.filter(([, count]) => count > 0))
  if (/\b(?:GET|POST|PUT|PATCH|DELETE|HTTP|API)\b|\b[2-5]\d\d\b/.test(text)) found.set('api', 2)
  return found
}

const TIER_WORDS = mapTiers({
  data:
    'database db schema migration model entity table column row record stored persisted saved keep kept unique constraint ' +
    'query belong foreign repository survive restart remembered',
  business:
    'calculated computed validated rejected refused rule retried hashed checked expires sent service job ' +
    'background recorded overlapping',
  api: 'endpoint request response return answer route token jwt header status',
  ui:
    'page show shown see display displayed button form click screen rendered visible view modal menu theme switch clicking ' +
    'readable dialog reload list',
  test: 'covered coverage tested fixture test',
})

function mapTiers(words: Record<Tier, string>): Record<Tier, string[]> {
  return Object.fromEntries(TIERS.map((tier) => [tier, [...new Set(rootsOf(words[tier]))]])) as Record<Tier, string[]>
}

/** Only the last part can show that nothing is missing. */
function isAboutAll(text: string): boolean {
  return /\b(?:all|every|everything|everywhere|nothing|no longer|end[- ]to[- ]end|as a whole)\b|\bno\b.*\bleft\b/i.test(
    text,
  )
}
