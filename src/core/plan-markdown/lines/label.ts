/** The kind of a heading or a list item: a milestone, a task with a key or a number, or plain text. */
export type Label = { title: string; done: boolean } & (
  | { kind: 'milestone'; id: string }
  | { kind: 'keyed'; key: string; prefix: string; isSure: boolean }
  | { kind: 'numbered'; number: string; letter: string; word: string }
  | { kind: 'outline'; number: string }
  | { kind: 'plain' }
)

/** `where`: only a heading can be a milestone; headings and boxes may have a number in their text. */
export function readLabel(text: string, where: 'heading' | 'item' | 'box'): Label {
  const written = unmark(text)
  const moved = moveAside(written.bare)
  const { bare, done } = moved === null ? written : unmark(moved)
  const found = (where === 'heading' ? readMilestone(bare) : null) ?? readWorded(bare) ?? readKeyed(bare)
  if (found) return { ...found, done: done || written.done }
  const { number, title = '' } = (NUMBERED[where].exec(bare) ?? ISSUE.exec(bare))?.groups ?? {}
  if (number === undefined) return { kind: 'plain', title: written.bare, done: written.done }
  return where === 'box'
    ? { kind: 'numbered', number, letter: 'T', word: 'box', title: title || bare, done }
    : { kind: 'outline', number, title: title || bare, done }
}

/** Moves the remark in `Phase 3 (optional): Title` or `T3 (P1): Title` after the title. */
function moveAside(text: string): string | null {
  const [, name, aside, title] = ASIDE.exec(text) ?? []
  return title === undefined ? null : `${name}: ${title} (${aside})`
}

const ASIDE =
  /^((?:\p{L}[\p{L}-]{1,20}\s+)?#?[A-Za-z]{0,10}[-_.]?\d[\w.-]{0,20})\s*[([]([^()[\]]{1,80})[)\]](?:\s*[:：–—]\s*|\s+-\s+)(\S.*)$/u

/** The name that other tasks use for it; empty if it has none. */
export function nameIn(label: Label | undefined): string {
  if (label?.kind === 'keyed') return label.key.toUpperCase()
  return label?.kind === 'numbered' ? `${label.letter}${label.number}`.toUpperCase() : ''
}

/** `1.2 Title`, `3) Title`, `1.4 — Title`. In a list item, not a quantity such as `1.5 GB`. */
const NUMBERED = {
  heading: /^(?<number>\d{1,4}(?:\.\d{1,4})*)[.):]?\s+(?:[-–—]\s+)?(?<title>\S.*)$/,
  box: /^(?<number>\d{1,4}(?:\.\d{1,4})+(?=[.):]?\s)|\d{1,4}(?=[.)]\s))[.):]?\s+(?:[-–—]\s+)?(?<title>\S.*)$/,
  item: /^(?<number>\d{1,4}(?:\.\d{1,4})+)[.):]?\s+(?:[-–—]\s+)?(?<title>(?![KMGT]i?B\b)[\p{Lu}`*].*)$/u,
}

/** GitHub's `#12`, with or without a title. */
const ISSUE = /^#(?<number>\d{1,6})(?:\s*[:–—-])?(?:\s+(?<title>\S.*))?$/

/** The text without its surrounding signs, and whether one of them means that it is done. */
export function unmark(text: string): { bare: string; done: boolean } {
  let bare = text.trim()
  let done = false
  const strip = (pattern: RegExp, means: boolean): void => {
    const next = bare.replace(pattern, '').trim()
    if (next === bare || next === '') return
    bare = next
    done ||= means
  }
  strip(/^\[[xX]\]\s+/, true)
  strip(/^\[\s?\]\s+/, false)
  strip(/^(?:✅|✔|☑)\u{fe0f}?\s*/u, true)
  strip(/^(?:\p{Extended_Pictographic}|\u{fe0f}|\u{200d})+\s+/u, false)
  strip(/\s*(?:✅|✔|☑)\u{fe0f}?$/u, true)
  strip(/\s+\[[xX]\]$/, true)
  strip(/\s+\[\s?\]$/, false)
  strip(/\s*[[(](?:done|completed?|finished|x)[\])]$/i, true)
  strip(/\s+[-–—]\s+(?:done|completed|finished)$/i, true)
  if (/^~~.+~~$/.test(bare)) strip(/^~~|~~$/g, true)
  return { bare: withoutBold(bare), done }
}

/** `**T1: Title**`, `**T1**: Title` and `` `T1` Title `` mean the same. */
function withoutBold(text: string): string {
  return text
    .replace(/^(\*\*|__)(.+?)\1/, '$2')
    .replace(/^`([A-Za-z]{1,10}[-_.]?\d[\w.-]*)`/, '$1')
    .trim()
}

const SEPARATOR = String.raw`(?:\s*[:：|–—]\s*|\s+[-=]\s+|[.)]\s+|\s*→\s*)`
const COUNTED = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const COUNT = COUNTED.slice(1).join('|')
const GREEK = 'alpha|beta|gamma|delta'
const MILESTONE = new RegExp(
  String.raw`^\[?(?:(?:(?:implementation )?phase|milestone|sprint|stage|iteration|epic|wave|tier|part|track|workstream|week|day|checkpoint|gap|batch)\b\s*#?(?<number>\d{1,4}(?:[./]\d{1,4})*[a-z]?|${COUNT}|${GREEK}|[ivx]{1,5}|[a-z])?(?![\w-])|(?<short>[MP]\d{1,4}(?:\.\d{1,4})*))\]?(?:(?<separator>${SEPARATOR}|\s+)(?<title>.*))?$`,
  'i',
)

function readMilestone(text: string): UndoneLabel | null {
  const { number, short, separator = '', title = '' } = MILESTONE.exec(text)?.groups ?? {}
  if (number === undefined && short === undefined && (title === '' || !/[:：–—-]/.test(separator))) return null
  // Alone, P1 is a priority.
  if (short !== undefined && /^p[0-5]$/i.test(short) && title === '') return null
  const isWord = number !== undefined && !/^\d/.test(number)
  if (isWord && separator.trim() === '' && title !== '') return null
  if (short !== undefined && separator.trim() === '' && title !== '' && !text.startsWith('[')) return null
  // Greek letters have another order than the Latin ones by which ids are sorted.
  const isCounted = number !== undefined && !new RegExp(`^(?:${GREEK})$`, 'i').test(number)
  const id = short === undefined ? (isCounted ? `M${arabic(number)}` : '') : short.toUpperCase()
  return { kind: 'milestone', id, title: withoutBold(title) || text }
}

const ROMAN = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii']

function arabic(number: string): string {
  const value = Math.max(ROMAN.indexOf(number.toLowerCase()), COUNTED.indexOf(number.toLowerCase()))
  return value > 0 ? String(value) : number.toUpperCase().replaceAll('/', '.')
}

type UndoneLabel = Label extends infer L ? (L extends Label ? Omit<L, 'done'> : never) : never

const WORDED = new RegExp(
  String.raw`^\[?(?<word>task|step|sub-?task|todo|to-do|ticket|user story|story|feature|work item|work package|item|bug|fix|chore|spike|chunk|action)\s*#?\s*(?:(?<key>[A-Z]{1,10}[-_]?\d{1,6}(?:[.-]\d{1,6})*[a-z]?)|(?<number>\d{1,6}(?:[.-]\d{1,6})*[a-z]?|(?:${COUNT})\b|[A-Z](?=\s*[:.)–—-]|\s*$)))\]?(?:${SEPARATOR}(?<title>.*)|\s*\((?<aside>.*)\)|\s*)$`,
  'i',
)

function readWorded(text: string): UndoneLabel | null {
  const { word = '', key, number, title, aside } = WORDED.exec(text)?.groups ?? {}
  const named = withoutBold(title ?? aside ?? '') || text
  if (key !== undefined && /^[A-Z]/.test(key))
    return { kind: 'keyed', key, prefix: prefixOf(key), isSure: true, title: named }
  if (number === undefined || /^[a-z]$/.test(number)) return null
  const counted = COUNTED.indexOf(number.toLowerCase())
  const letter = letterOf(word)
  return {
    kind: 'numbered',
    number: counted > 0 ? String(counted) : number,
    letter,
    word: word.toLowerCase(),
    title: named,
  }
}

function letterOf(word: string): string {
  const known = word.toLowerCase()
  if (known.endsWith('story')) return 'US'
  return /^(?:feature|bug|fix|chore|spike)$/.test(known) ? known.charAt(0).toUpperCase() : 'T'
}

const KEY = String.raw`[A-Z][A-Z0-9]{0,9}?(?:[-_.]?[A-Z]{1,4})?[-_.]?\d{1,6}(?:[.-]\d{1,6})*(?:-?[a-z])?`
const KEYED = new RegExp(
  String.raw`^(?:\[(?<boxed>${KEY})\]${'(?![([])'}|(?<bare>${KEY}))(?:(?<separator>${SEPARATOR})|\s+|$)(?<title>.*)$`,
)

/** `t3: Title` is T3 as well. */
const SMALL_KEY = new RegExp(String.raw`^\[?(?:t|tsk|task)[-_]?\d{1,6}(?:\.\d{1,6})*\]?(?=${SEPARATOR})`)

function readKeyed(written: string): UndoneLabel | null {
  const text = written.replace(SMALL_KEY, (key) => key.toUpperCase())
  const { boxed, bare, separator, title = '' } = KEYED.exec(text)?.groups ?? {}
  const key = boxed ?? bare
  if (key === undefined) return null
  const prefix = prefixOf(key)
  if (OTHER_THINGS.test(prefix)) return null
  const isSure = /^(?:T|TASK|TSK)$/.test(prefix)
  if (boxed === undefined && separator === undefined && !isSure) return null
  return { kind: 'keyed', key, prefix, isSure: isSure && title !== '', title: withoutBold(title) || key }
}

/** What plans number besides tasks: goals, requirements, constraints, criteria, decisions, risks. */
const OTHER_THINGS =
  /^(?:GOAL|REQ|SEC|CON|GUD|PAT|ALT|DEP|FILE|TEST|RISK|ASSUMPTION|AC|FR|NFR|SC|ADR|RFC|UC|OBJ|KR|R|Q|P|M|CRIT)$/

function prefixOf(key: string): string {
  return /^[A-Za-z]+/.exec(key)?.[0].toUpperCase() ?? ''
}
