import type { ReviewerVerdict } from '../task/task.ts'
import { shorten } from '../text/shorten.ts'

/** A verdict with any marks of a list, a heading or bold text, and what follows it on its line. */
const VERDICT =
  /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})\s+)*[*_]*Verdict[*_]*\s*:[*_]*\s*[*_]*(APPROVED|CHANGES_REQUESTED|NEEDS_DISCUSSION)(?![A-Za-z0-9]|[_-][A-Za-z0-9])(.*)$/

/** A line that begins like a verdict, whatever it says. */
const VERDICT_LINE = /^[\s#*_+\-\d.)]*Verdict\b/i

/** What a text contains: verdicts in their proper form, and lines that look like one but leave it open. */
interface Found {
  verdicts: ReadonlySet<ReviewerVerdict>
  isUnclear: boolean
}

export interface ReviewTexts {
  /** The commit that was judged. */
  commit: string
  review: string
  /** The reviewer's last message. It can contradict the review, but not replace it. */
  message: string
  /** What the reviewer answered when it was asked once more for the verdict alone; null: it was not asked. */
  answer: string | null
}

export interface JudgedReview {
  verdict: ReviewerVerdict
  /** Why it counts as CHANGES_REQUESTED although the reviewer did not clearly say so; null: the reviewer said it. */
  why: string | null
}

/**
 * The verdict of a review; null: there is none yet, and the reviewer can be asked for it. Quotes and code do not count:
 * a reviewer may quote an approval without giving one. Verdicts that disagree ask for changes.
 */
export function judgeReview({ commit, review, message, answer }: ReviewTexts): JudgedReview | null {
  const asks = (why: string): JudgedReview => ({ verdict: 'CHANGES_REQUESTED', why })
  const texts = [review, message, answer ?? '']
  if (texts.some((text) => isAboutAnother(text, commit))) return asks('the review names another commit')
  const found = texts.map(findVerdicts)
  const [all, own] = [new Set(found.flatMap(({ verdicts }) => [...verdicts])), found[answer === null ? 0 : 2]]
  if (all.size > 1) return asks('the review has verdicts that disagree')
  const [verdict] = own?.verdicts ?? []
  const isUnclear = answer === null ? found.some((each) => each.isUnclear) : own?.isUnclear
  if (verdict !== undefined && !isUnclear) return { verdict, why: null }
  return answer === null ? null : asks('the reviewer gave no clear verdict, although it was asked twice')
}

export function namesVerdict(text: string): boolean {
  return /\bverdict\b/i.test(text)
}

function findVerdicts(text: string): Found {
  const verdicts = new Set<ReviewerVerdict>()
  let isUnclear = false
  const lines = [...ownLines(text)]
  for (const [at, line] of lines.entries()) {
    const [, verdict, rest = ''] = VERDICT.exec(line) ?? []
    if (verdict === undefined) continue
    if (leavesOpen(verdict, rest + continuation(lines[at + 1]))) isUnclear = true
    else verdicts.add(verdict as ReviewerVerdict)
  }
  return { verdicts, isUnclear }
}

/** A sentence that continues on the next line. */
function continuation(next: string | undefined): string {
  return next !== undefined && /^\s*\(?\p{Ll}/u.test(next) ? ` ${next}` : ''
}

const ANOTHER = /\b(?:approved|changes[ _-]requested|needs[ _-]discussion)\b/i
/** An approval with one of these words may be none. */
const CONDITION =
  /\b(?:if|once|when|after|until|unless|although|though|condition|with (?:(?:the|some|minor|small|requested|suggested) )*changes|provided|providing|assuming|pending|except|but|however|conditional|conditionally|subject to|as long as|not|cannot|never)\b|n['’]t\b|\?/i

function leavesOpen(verdict: string, remark: string): boolean {
  return ANOTHER.test(remark) || (verdict === 'APPROVED' && CONDITION.test(remark))
}

/** Does the review name another commit than the one it was asked to judge? */
function isAboutAnother(review: string, commit: string): boolean {
  const named = [...ownLines(review)].flatMap(
    (line) => /^\s*\**Commit:\**\s*`?([0-9a-f]{7,64})`?\s*$/i.exec(line)?.[1] ?? [],
  )
  return named.some((name) => !commit.startsWith(name.toLowerCase()))
}

/** The first blocker in one line: the first numbered point, otherwise the first point, otherwise the first sentence. */
export function firstBlocker(review: string): string | null {
  const lines = [...ownLines(review)]
    .map((line) => line.trim())
    .filter((line) => line !== '' && !VERDICT_LINE.test(line))
  const found =
    lines.find((line) => /^\d+[.)]\s+\S/.test(line)) ??
    lines.find((line) => /^[-*]\s+\S/.test(line)) ??
    lines.find((line) => !/^(#|\**Commit:)/i.test(line))
  return found === undefined ? null : plainPoint(found)
}

const LONGEST_POINT = 120

function plainPoint(line: string): string {
  const plain = line
    .replace(/^(\d+[.)]|[-*])\s+/, '')
    .replace(/\*\*|__|`/g, '')
    .trim()
  return shorten(plain, LONGEST_POINT)
}

/** The reviewer's own lines: no fenced or indented code, no quotes with their continuation lines, no HTML blocks. */
function* ownLines(review: string): Generator<string> {
  let fence: string | null = null
  let isQuote = false
  for (const line of withoutBlocks(review).split(/\r?\n/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && (fence === null || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === null ? mark : null
      continue
    }
    isQuote = /^\s{0,3}>/.test(line) || (isQuote && line.trim() !== '')
    if (fence === null && !isQuote && !/^( {4}|\t)/.test(line)) yield line
  }
}

// Only at the beginning of a line, as in markdown; a block that is never closed hides everything after it.
const HTML_BLOCK = /^ {0,3}(?:<!--[\s\S]*?(?:-->|(?![\s\S]))|<(pre|blockquote)\b[\s\S]*?(?:<\/\1\s*>|(?![\s\S])))/gim

function withoutBlocks(review: string): string {
  return review.replace(/^\uFEFF/, '').replace(HTML_BLOCK, '\n')
}
