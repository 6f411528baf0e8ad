/** How hard a task is for an agent: a score from 0 to 13, each point with its reason. */

import { dirname } from 'node:path/posix'
import type { TaskSizeLimits } from '../config/settings.ts'
import type { Editable } from '../task/task.ts'
import { normalPath } from '../text/normal-path.ts'
import { plural } from '../text/plural.ts'
import { hardIdeas, isUndecided, vagueWords } from './complexity-words.ts'
import { isTestFile, LAYERS, layerOf } from './layers.ts'

/** The fields that determine a task's size. */
export type Sized = Partial<
  Pick<
    Editable,
    'title' | 'content' | 'user_story' | 'acceptance_criteria' | 'files_to_create' | 'files_to_modify' | 'test_files'
  >
>

export const MAXIMA = {
  file_scope: 5,
  cross_file_deps: 2,
  semantic_complexity: 3,
  requirement_uncertainty: 2,
  token_penalty: 1,
} as const
/** The highest total of the components. */
export const HIGHEST_SCORE = 13
export type Component = keyof typeof MAXIMA
export const COMPONENTS = Object.keys(MAXIMA) as Component[]

export type Level = 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'

export interface Complexity {
  total: number
  threshold: number
  level: Level
  action: string
  components: Record<Component, number>
  reasons: Record<Component, string[]>
  estimated_tokens: number
}

export interface ScoreContext {
  limits: TaskSizeLimits
  /** For files that exist: which other files they import, as normalized paths. */
  imports?: ReadonlyMap<string, readonly string[]>
  /** It is a part of a task with acceptance criteria, so it is clear whether or not it received some of them. */
  isPartOfClear?: boolean
}

export function scoreTask(task: Sized, context: ScoreContext): Complexity {
  const { limits, imports = new Map(), isPartOfClear = false } = context
  const files = filesOf(task)
  const estimated_tokens = estimateTokens(task)
  const parts: Record<Component, Reason[]> = {
    file_scope: fileScope(files),
    cross_file_deps: couplings(files, imports),
    semantic_complexity: difficulties(textOf(task)),
    requirement_uncertainty: uncertainties(task, isPartOfClear),
    token_penalty: tokenExcess(estimated_tokens, limits.max_input_tokens),
  }
  const capped = COMPONENTS.map((component) => [component, cap(component, parts[component])] as const)
  const total = capped.reduce((sum, [, { points }]) => sum + points, 0)
  return {
    total,
    threshold: limits.complexity_threshold,
    ...levelOf(total),
    components: Object.fromEntries(capped.map(([name, { points }]) => [name, points])) as Complexity['components'],
    reasons: Object.fromEntries(capped.map(([name, { reasons }]) => [name, reasons])) as Complexity['reasons'],
    estimated_tokens,
  }
}

/** Every file that the task names, each once and with a normalized path. */
export function filesOf({ files_to_create = [], files_to_modify = [], test_files = [] }: Sized): string[] {
  return [...new Set([...files_to_create, ...files_to_modify, ...test_files].map(normalPath))]
}

/**
 * The component that is nearest to its own maximum. Of several, many layers come before many files: splitting by files
 * is meant for few directories.
 */
export function dominantComponent({ components }: Pick<Complexity, 'components'>): Component {
  const share = (component: Component) => components[component] / MAXIMA[component]
  return BY_DOMINANCE.reduce((most, component) => (share(component) > share(most) ? component : most))
}

const BY_DOMINANCE = ['cross_file_deps', ...COMPONENTS.filter((component) => component !== 'cross_file_deps')] as const

interface Reason {
  points: number
  why: string
}

function cap(component: Component, found: readonly Reason[]): { points: number; reasons: string[] } {
  const most = MAXIMA[component]
  const sum = found.reduce((total, { points }) => total + points, 0)
  const reasons = found.map(({ points, why }) => `+${points.toFixed(1)} ${why}`)
  return sum > most ? { points: most, reasons: [...reasons, `at most ${most.toFixed(1)}`] } : { points: sum, reasons }
}

function levelOf(total: number): { level: Level; action: string } {
  if (total < 5) return { level: 'LOW', action: 'Safe for autonomous execution' }
  if (total < 8) return { level: 'MEDIUM', action: 'Requires monitoring' }
  if (total < 11) return { level: 'HIGH', action: 'Consider decomposition' }
  return { level: 'CRITICAL', action: 'Must decompose' }
}

function fileScope(files: readonly string[]): Reason[] {
  if (files.length === 0) return []
  return [{ points: files.length / 2, why: plural(files.length, 'file') }]
}

/** Tests are left out: a file and its test in another folder are not coupled. */
function couplings(files: readonly string[], imports: ReadonlyMap<string, readonly string[]>): Reason[] {
  const sources = files.filter((file) => !isTestFile(file))
  const folders = [...new Set(sources.map((file) => dirname(file)))]
  const found = new Set(sources.map(layerOf))
  const layers = LAYERS.filter((layer) => found.has(layer))
  const known = new Set(sources)
  const edges = sources.flatMap((from) =>
    (imports.get(from) ?? []).filter((to) => known.has(to) && to !== from).map((to) => `${from} → ${to}`),
  )
  return [
    ...step(folders.length, 2, `${folders.length} folders: ${someOf(folders)}`),
    ...step(layers.length, 2, `${layers.length} layers: ${layers.join(', ')}`),
    ...step(edges.length, 1, `${plural(edges.length, 'import')}: ${someOf(edges)}`),
  ]
}

/** Half a point from `least` on, a whole one from three on. */
function step(count: number, least: 1 | 2, why: string): Reason[] {
  if (count < least) return []
  return [{ points: count < 3 ? 0.5 : 1, why }]
}

const MOST_NAMED = 4

function someOf(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED
  return names.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

function difficulties(text: string): Reason[] {
  return [...hardIdeas(text)].map(([idea, words]) => ({ points: 0.5, why: `${idea}: ${someOf(words)}` }))
}

/** Do any criteria define when it is done? */
export function hasCriteria({ acceptance_criteria = [] }: Sized): boolean {
  return acceptance_criteria.some((criterion) => criterion.trim() !== '' && !isUndecided(criterion))
}

function uncertainties(task: Sized, isPartOfClear: boolean): Reason[] {
  const open = (task.acceptance_criteria ?? []).filter((text) => isUndecided(text) && vagueWords(text).length === 0)
  const vague = new Set([...vagueWords(textOf(task)), ...open])
  return [
    ...(hasCriteria(task) || isPartOfClear ? [] : [{ points: 1, why: 'no acceptance criteria' }]),
    ...[...vague].map((word) => ({ points: 0.5, why: `vague: ${word}` })),
  ]
}

function tokenExcess(estimate: number, budget: number): Reason[] {
  if (estimate <= budget) return []
  return [{ points: estimate < budget * 1.5 ? 0.5 : 1, why: `about ${estimate} tokens, the limit is ${budget}` }]
}

/** Four characters per token; a file to modify is read and written, the others are only written. */
function estimateTokens(task: Sized): number {
  const modified = new Set((task.files_to_modify ?? []).map(normalPath))
  const files = filesOf(task).reduce((sum, file) => sum + (modified.has(file) ? 800 : 400), 0)
  return Math.ceil(textOf(task).length / 4) + files
}

function textOf({ title = '', content = '', user_story = '', acceptance_criteria = [] }: Sized): string {
  return [content.startsWith(title) ? '' : title, content, user_story, ...acceptance_criteria]
    .filter(Boolean)
    .join('\n')
}
