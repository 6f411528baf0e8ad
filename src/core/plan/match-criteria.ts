import type { ListedCriterion } from '../plan-fields/read-criteria.ts'
import { shorten } from '../text/shorten.ts'
import { sameKey } from './name-tasks.ts'
import type { PlannedTask, PlanRemark } from './plan-model.ts'
import { sameTitle } from './plan-names.ts'

/** Gives each criterion to the task about the same things, and reports the criteria that match no task. */
export function matchCriteria(tasks: readonly PlannedTask[], criteria: readonly ListedCriterion[]): PlanRemark[] {
  const parents = new Set(tasks.map(({ parent }) => parent))
  const leaves = tasks.filter(({ key }) => !parents.has(key))
  const index = indexWords(leaves)
  const keys = new Map(leaves.map((task) => [sameKey(task.key), task]))
  const known = new Set(tasks.flatMap((task) => task.acceptance_criteria.map(sameTitle)))
  return criteria.flatMap(({ text, line }): PlanRemark[] => {
    const { bare, key } = takeKey(text)
    if (known.has(sameTitle(bare))) return []
    const task = (key === null ? undefined : keys.get(sameKey(key))) ?? bestMatch(leaves, index, bare)
    if (task === undefined) return [{ line, why: `no task of the plan seems to cover '${shorten(bare, 80)}'` }]
    task.acceptance_criteria.push(bare)
    return []
  })
}

/** `[T3] Links expire` and `Links expire (T3)` name their task. */
function takeKey(text: string): { bare: string; key: string | null } {
  const found =
    /^\[?([A-Za-z]{1,10}-?\d[\w.-]{0,20})\]?[:\s]\s*(\S.*)$|^(.*\S)\s*[[(]([A-Za-z]{1,10}-?\d[\w.-]{0,20})[\])]$/.exec(
      text,
    )
  if (!found) return { bare: text, key: null }
  const [, before, rest, start, after] = found
  // `AC3: …` numbers the criterion itself.
  const key = before ?? after ?? null
  return { bare: /^ac/i.test(key ?? '') ? text : (rest ?? start ?? text), key }
}

interface WordIndex {
  /** For each word, the indices of the tasks that use it. */
  users: Map<string, Set<number>>
  titles: Set<string>[]
}

function indexWords(tasks: readonly PlannedTask[]): WordIndex {
  const users = new Map<string, Set<number>>()
  const titles = tasks.map(({ title }) => new Set(wordsOf(title)))
  for (const [at, task] of tasks.entries()) {
    const files = [...task.files_to_create, ...task.files_to_modify, ...task.test_files]
    const text = [task.content, task.user_story ?? '', ...task.acceptance_criteria, ...files].join('\n')
    for (const word of wordsOf(text)) users.set(word, (users.get(word) ?? new Set()).add(at))
  }
  return { users, titles }
}

/**
 * The task that shares most of the criterion's words, where rare words count more. It must share two words and two
 * fifths.
 */
function bestMatch(tasks: readonly PlannedTask[], { users, titles }: WordIndex, text: string): PlannedTask | undefined {
  const words = [...new Set(wordsOf(text))]
  const points = new Map<number, { score: number; weight: number; shared: number }>()
  let whole = 0
  for (const word of words) {
    const places = users.get(word) ?? new Set()
    const weight = Math.log(1 + tasks.length / Math.max(1, places.size))
    // A word that no task uses may be just a different wording.
    whole += places.size === 0 ? weight / 2 : weight
    for (const at of places) {
      const { score, weight: sum, shared } = points.get(at) ?? { score: 0, weight: 0, shared: 0 }
      const inTitle = titles[at]?.has(word) ? 1.5 : 1
      points.set(at, { score: score + weight * inTitle, weight: sum + weight, shared: shared + 1 })
    }
  }
  let best: { at: number; score: number } | null = null
  for (const [at, { score, weight, shared }] of points) {
    const isEnough = weight >= whole * LEAST_SHARE && (shared > 1 || words.length === 1)
    if (isEnough && (best === null || score > best.score || (score === best.score && at < best.at)))
      best = { at, score }
  }
  return best === null ? undefined : tasks[best.at]
}

const LEAST_SHARE = 0.4

const STOP_WORDS = new Set(
  'the and for with that this from can must should shall will when then given are was has have not all any each every its their into than only may able user users who what which there they them been being does did between without within also more less than two three one other after before over under'.split(
    ' ',
  ),
)

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return words.filter((word) => !STOP_WORDS.has(word)).map(stem)
}

/** `invited`, `invites` and `invitation` share a beginning: a plan and a product document rarely use the same form. */
function stem(word: string): string {
  const bare = word.replace(/(?:ations?|ments?|ings?|ies|ed|es|s|e)$/, '')
  return bare.length >= 3 ? bare : word
}
