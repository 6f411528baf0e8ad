import { isUndecided } from '../size/complexity-words.ts'
import type { Priority } from '../task/task.ts'

const PRIORITY_WORDS: Record<Priority, readonly string[]> = {
  critical: ['critical', 'p0', 'blocker', 'urgent', 'highest', 'very high', 'showstopper'],
  high: ['high', 'h', 'p1', 'major', 'must', 'must have', 'important'],
  medium: ['medium', 'm', 'p2', 'normal', 'moderate', 'should', 'should have', 'med', 'mid', 'default', 'average'],
  low: [
    'low',
    'l',
    'p3',
    'p4',
    'p5',
    'minor',
    'could',
    'could have',
    'nice to have',
    'lowest',
    'trivial',
    'optional',
    'very low',
  ],
}

/** `P1`, `High`, `🔴 Critical (blocks release)`, `must-have`. Null if it is none of these. */
export function readPriority(text: string): Priority | null {
  const words = plain(text)
  for (const [priority, known] of Object.entries(PRIORITY_WORDS)) {
    if (known.includes(words)) return priority as Priority
  }
  return null
}

/** For words between or around priorities: the highest priority that they name. `Medium-High`, `2`, `rather low`. */
export function nearestPriority(text: string): Priority | null {
  const words = text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => (/^[0-4]$/.test(word) ? `p${word}` : word))
  for (const [priority, known] of Object.entries(PRIORITY_WORDS)) {
    if (words.some((word) => known.includes(word))) return priority as Priority
  }
  return null
}

type Size = 'low' | 'medium' | 'high'

/** A word, a shirt size, or points of the complexity score as in `6`, `6/13`. Null if it is none of these. */
export function readSize(text: string): Size | null {
  const words = plain(text)
  for (const [size, known] of Object.entries(SIZE_WORDS)) if (known.includes(words)) return size as Size
  const points = /^(\d{1,2}(?:\.\d+)?)(?:\s*\/\s*(\d{1,2}))?$/.exec(text.trim())
  if (!points) return null
  const score = (Number(points[1]) / Number(points[2] ?? MOST_POINTS)) * MOST_POINTS
  if (!(score <= MOST_POINTS)) return null
  return score < 5 ? 'low' : score < 8 ? 'medium' : 'high'
}

const MOST_POINTS = 13
const SIZE_WORDS: Record<Size, readonly string[]> = {
  low: ['low', 's', 'xs', 'small', 'simple', 'easy', 'trivial', 'very low'],
  medium: ['medium', 'm', 'moderate', 'normal', 'med', 'medium high', 'low medium'],
  high: ['high', 'l', 'xl', 'xxl', 'large', 'complex', 'hard', 'very high', 'critical'],
}

export function isDoneWord(status: string): boolean {
  if (status.includes('|') || /\bnot\b/i.test(status)) return false
  return /✅|☑|✔/u.test(status) || ['done', 'completed', 'complete', 'finished', 'closed'].includes(plain(status))
}

/** The progress of a task according to the plan. Null if it is unknown. */
export function readStatus(text: string): 'open' | 'done' | 'skipped' | null {
  if (isDoneWord(text)) return 'done'
  const words = plain(text)
  if (/^(?:cancell?ed|skipped|wont ?fix|won t (?:fix|do)|dropped|obsolete)$/.test(words)) return 'skipped'
  const isOpen = words === '' || text.includes('|') || OPEN.test(words)
  return isOpen ? 'open' : null
}

export function describeStatus(text: string): string {
  return `'${text}' is not a known status; the task counts as open`
}

const OPEN =
  /^(?:pending|to ?do|open|reopened|new|planned|proposed|draft|backlog|ready|queued|not .*|(?:work )?in progress.*|started|doing|active|wip|ongoing|partial(?:ly.*)?|blocked|waiting|(?:in |under |needs )?review|testing|in testing|incomplete|tbd)$/

/** `none`, `N/A`, `—`; not `TBD` and `?`, which mean that something is missing. */
export function isEmptyValue(text: string): boolean {
  const words = plain(text)
  if (words === '') return !isUndecided(text)
  return /^(?:none|n a|na|nothing|no|no dependencies|no dependency|nil|null|nobody|not applicable)$/.test(words)
}

/** A criterion may begin with `No –`, so these words must be the whole text here. */
export function isEmptyCriterion(text: string): boolean {
  return /^[\s*_`]*(?:none|n\s*\/\s*a|n\.a|nothing|nil|not applicable|[-–—]*)\.?[\s*_`]*(?:\([^)]*\))?$/i.test(text)
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/\s[-–—:]\s.*$/, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
