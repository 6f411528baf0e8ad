import { saysNothing } from './field-values.ts'

/** What a plan's words say a task waits for, before anyone knows which tasks there are. */
export type Wait =
  /** `isTicket`: written `#4`, as the ledger numbers tasks. */
  | { kind: 'name'; name: string; isSure: boolean; isTicket: boolean }
  | { kind: 'range'; from: string; to: string; name: string }
  | { kind: 'milestone'; id: string; name: string }
  | { kind: 'before'; which: 'one' | 'all' }
  | { kind: 'words'; text: string }

/** `T1, T2 and T4`, `Tasks 1-3`, `Task 2.1 (the model)`, `T1: User model`, `Phase 1`, `all previous tasks`, `none`. */
export function readWaits(text: string): Wait[] {
  if (saysNothing(text) || /^(?:none|nothing|n\/a)\b/i.test(text.trim())) return []
  const bare = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`_"'[\]]/g, '')
    .trim()
  const outside = bare.replace(/\([^)]*\)/g, ' ').trim()
  const spoken = outside === '' || /^(?:tasks?|steps?)$/i.test(outside) ? bare.replace(/[()]/g, ' ') : outside
  return spoken.split(/[,;&+]|\s(?:and|und|plus)\s|\.\s|\.$/i).flatMap((piece) => readPiece(piece.trim()))
}

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
const MILESTONE =
  /^(?:phase|milestone|sprint|stage|iteration|epic|wave|tier|part|track|workstream|week|day|checkpoint|gap|batch)s?\s*#?(\d{1,4}(?:\.\d{1,4})*)\b.*$/i

function readPiece(piece: string): Wait[] {
  if (saysNothing(piece)) return []
  if (
    /^(?:all (?:of the )?(?:previous|above|prior|earlier|preceding)|everything above|all of the above)\b/i.test(piece)
  )
    return [{ kind: 'before', which: 'all' }]
  if (/^(?:the )?(?:previous|preceding|prior) (?:task|step|one)?$/i.test(piece))
    return [{ kind: 'before', which: 'one' }]
  const milestone = MILESTONE.exec(piece)
  if (milestone) return [{ kind: 'milestone', id: `M${milestone[1]}`, name: piece }]
  const range = RANGE.exec(piece)
  if (range) return [{ kind: 'range', from: range[1] ?? '', to: range[2] ?? '', name: piece }]
  const several = piece.split(/\s+/)
  if (several.length > 1 && several.every((word) => /^(?:#|#?[A-Za-z]{1,10}-?)\d{1,6}(?:\.\d{1,6})*$/.test(word)))
    return several.map((name) => nameOf(name))
  const { word, hash, name } = ONE.exec(piece)?.groups ?? {}
  if (name !== undefined && isName(name, piece, word)) return [nameOf(`${hash}${name}`, word !== undefined)]
  if (/^task-[0-9a-f]{4,40}$/i.test(piece)) return [nameOf(piece.toLowerCase(), true)]
  return [{ kind: 'words', text: piece }]
}

function nameOf(written: string, isSure = false): Wait {
  const isTicket = /^#\d+$/.test(written)
  return { kind: 'name', name: written.replace('#', ''), isSure: isSure || isTicket, isTicket }
}

/** `2 weeks` names no task. */
function isName(name: string, piece: string, word: string | undefined): boolean {
  if (word !== undefined || /^[A-Za-z]/.test(name)) return true
  return piece.replace(/^#/, '') === name
}
