import { isEmptyValue } from '../plan-fields/field-values.ts'

/** What the words of a plan name as dependencies, before the tasks are known. */
export type StatedDependency =
  /** `isNumber`: written `#4`, as the ledger numbers tasks. */
  | { kind: 'name'; name: string; isSure: boolean; isNumber: boolean }
  | { kind: 'range'; from: string; to: string; name: string }
  | { kind: 'milestone'; id: string; name: string }
  /** `others`: all tasks of the plan. This can only mean the ones before it, so it is clear only if none follow. */
  | { kind: 'before'; which: 'one' | 'all' | 'others'; text: string }
  | { kind: 'words'; text: string }

/** `T1, T2 and T4`, `Tasks 1-3`, `Task 2.1 (the model)`, `T1: User model`, `Phase 1`, `all previous tasks`, `none`. */
export function readDependencyText(text: string): StatedDependency[] {
  if (isEmptyValue(text) || /^(?:none|nothing|n\/a)\b/i.test(text.trim())) return []
  const bare = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`_"'[\]]/g, '')
    .trim()
  const outside = bare.replace(/\([^)]*\)/g, ' ').trim()
  const names = outside === '' || /^(?:tasks?|steps?)$/i.test(outside) ? bare.replace(/[()]/g, ' ') : outside
  return spreadMilestones(names)
    .split(BETWEEN)
    .flatMap((piece) => readPiece(piece.trim()))
}

/** `or` and `then` separate tasks only if a name follows. */
const BETWEEN =
  /[,;&+]|\s(?:and|und|plus)\s|\s(?:and\/or|or|oder|then|with|as well as)\s+(?=#?(?:tasks?\s+|steps?\s+|[A-Za-z]{1,10}[-_.]?)#?\d)|\.\s|\.$/i

const NAME = String.raw`(?:[A-Za-z][A-Za-z0-9]{0,9}?(?:[-_.]?[A-Za-z]{1,4})?[-_.]?)?\d{1,6}(?:[.-]\d{1,6})*(?:-?[a-z])?`
const WORD = String.raw`(?:(?:tasks?|steps?|sub-?tasks?|stor(?:y|ies)|items?|todos?|issues?|tickets?)\s*)?#?`
const RANGE = new RegExp(
  String.raw`^${WORD}(${NAME})\s*(?:-|–|—|\.{2,3}|→|\sto\s|\sthrough\s|\sthru\s)\s*${WORD}(${NAME})$`,
  'i',
)
const ONE = new RegExp(
  String.raw`^(?<word>(?:tasks?|steps?|sub-?tasks?|stor(?:y|ies)|items?|todos?|issues?|tickets?)\s*)?(?<hash>#?)(?<name>${NAME})(?:\s*[:–—-]\s.*|\s+\D.*)?$`,
  'i',
)
const PHASE =
  '(?:phase|milestone|sprint|stage|iteration|epic|wave|tier|part|track|workstream|week|day|checkpoint|gap|batch)'
const MILESTONE = new RegExp(
  String.raw`^(?:(?:all|every|each|the|whole|entire|of|in|from|tasks?|steps?|completion|end)\s+)*${PHASE}e?s?\s*#?(\d{1,4}(?:\.\d{1,4})*)\b.*$`,
  'i',
)
const PHASE_RANGE = new RegExp(
  String.raw`\b(${PHASE})e?s?\s*(\d{1,4})\s*(?:-|–|—|\.{2,3}|\bto\b|\bthrough\b)\s*(?:${PHASE}e?s?\s*)?(\d{1,4})\b(?!\.\d)`,
  'gi',
)
const PHASE_LIST = new RegExp(
  String.raw`\b(${PHASE})e?s\s*(\d{1,4}(?:(?:\s*[,&+/]\s*|,?\s+(?:and|und)\s+)\d{1,4}(?!\d*\.\d))+)`,
  'gi',
)
const ALL_BEFORE =
  /^(?:(?:all|every|each)(?: of)?(?: the)? (?:(?:tasks?|steps?) )?(?:previous|above|prior|earlier|preceding|before)|everything (?:above|before|so far)|(?:the )?(?:previous|preceding|prior|earlier|above) (?:tasks|steps|ones|items))\b/i
const ALL_OTHERS =
  /^(?:all|all (?:the )?(?:other )?(?:tasks|steps|others)|everything(?: else)?|every other (?:task|step))$/i

/** `Phases 1-3` and `Phases 1, 2 and 3` are three phases, not one and two tasks. */
function spreadMilestones(text: string): string {
  return text
    .replace(PHASE_RANGE, (whole, word: string, from: string, to: string) => {
      const count = Number(to) - Number(from) + 1
      if (count < 2 || count > MOST_PHASES) return whole
      return [...Array(count).keys()].map((at) => `${word} ${Number(from) + at}`).join(', ')
    })
    .replace(PHASE_LIST, (_, word: string, list: string) =>
      (list.match(/\d+/g) ?? []).map((number) => `${word} ${number}`).join(', '),
    )
}

const MOST_PHASES = 100

function readPiece(piece: string): StatedDependency[] {
  if (isEmptyValue(piece)) return []
  if (ALL_BEFORE.test(piece)) return [{ kind: 'before', which: 'all', text: piece }]
  if (ALL_OTHERS.test(piece)) return [{ kind: 'before', which: 'others', text: piece }]
  if (/^(?:the )?(?:previous|preceding|prior) (?:task|step|one)?$/i.test(piece))
    return [{ kind: 'before', which: 'one', text: piece }]
  const milestone = MILESTONE.exec(piece)
  if (milestone) return [{ kind: 'milestone', id: `M${milestone[1]}`, name: piece }]
  const range = RANGE.exec(piece)
  if (range) return [{ kind: 'range', from: range[1] ?? '', to: range[2] ?? '', name: piece }]
  const several = piece.split(/\s*[/|]\s*|\s+/)
  if (several.length > 1 && several.every((word) => /^(?:#|#?[A-Za-z]{1,10}-?)\d{1,6}(?:\.\d{1,6})*$/.test(word)))
    return several.map((name) => nameOf(name))
  const { word, hash, name } = ONE.exec(piece)?.groups ?? {}
  if (name !== undefined && isName(name, piece, word)) return [nameOf(`${hash}${name}`, word !== undefined)]
  if (/^task-[0-9a-f]{4,40}$/i.test(piece)) return [nameOf(piece.toLowerCase(), true)]
  return [{ kind: 'words', text: piece }]
}

function nameOf(written: string, isSure = false): StatedDependency {
  const isNumber = /^#\d+$/.test(written)
  return { kind: 'name', name: written.replace('#', ''), isSure: isSure || isNumber, isNumber }
}

/** `2 weeks` does not name a task. */
function isName(name: string, piece: string, word: string | undefined): boolean {
  if (word !== undefined || /^[A-Za-z]/.test(name)) return true
  return piece.replace(/^#/, '') === name
}
