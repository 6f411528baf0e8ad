/**
 * A person's review as markdown, for people and for the agent that answers it. What is written here can be read back:
 * comments are the numbered list after the last heading `Comments`, and all further lines of a comment are indented.
 */
import type { ReviewedAs } from './persons-reviews.ts'

export interface LineComment {
  /** The file as it is called on its side. */
  file: string
  /** `old`: a line as it was before the work. */
  side: 'old' | 'new'
  line: number
  /** The last of several lines. */
  end_line: number
  /** The lines that it is about, as they were in the commit. */
  quote: string[]
  text: string
}

interface Written {
  by: string
  commit: string
  verdict: ReviewedAs
  summary: string
  comments: readonly LineComment[]
}

export function reviewText({ by, commit, verdict, summary, comments }: Written): string {
  // The verdict comes first: nothing in the person's own text can hide it.
  const parts = [`# Review by ${by}`, `Commit: ${commit}`, `Verdict: ${verdict}`]
  if (summary !== '') parts.push(summary)
  if (comments.length > 0) parts.push(HEADING, ...comments.map(commentText))
  return `${parts.join('\n\n')}\n`
}

const HEADING = '## Comments'
const OLD = ' (before the change)'
const INDENT = '   '

function commentText({ file, side, line, end_line, quote, text }: LineComment, at: number): string {
  const [first = '', ...rest] = text.split('\n')
  const lines = end_line > line ? `${line}-${end_line}` : String(line)
  return [
    `${at + 1}. \`${fileWord(file)}:${lines}\`${side === 'old' ? OLD : ''}: ${first}`,
    ...quote.map((each) => `${INDENT}> ${each}`.trimEnd()),
    ...(rest.length === 0 ? [] : ['', ...rest.map((each) => `${INDENT}${each}`.trimEnd())]),
  ].join('\n')
}

/** A name with characters that the form needs is written as a JSON string. */
function fileWord(file: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a file name may have any character but NUL
  if (!/["`\\\u0000-\u001f\u007f]/.test(file)) return file
  return JSON.stringify(file).replaceAll('`', '\\u0060')
}

export interface ReadReview {
  summary: string
  comments: LineComment[]
}

/** What `reviewText` wrote. Of another text everything is the summary. */
export function readReviewText(text: string): ReadReview {
  const body = text.replace(/^# Review by .*\n\nCommit: \S+\n\nVerdict: \S+\n/, '')
  const at = `\n${body}`.lastIndexOf(`\n${HEADING}\n`)
  const comments = at === -1 ? [] : readComments(body.slice(at + HEADING.length))
  return { summary: (comments.length === 0 ? body : body.slice(0, at)).trim(), comments }
}

const COMMENT = /^\d+\. `(.+):(\d+)(?:-(\d+))?`( \(before the change\))?: (.*)$/

function readComments(text: string): LineComment[] {
  const comments: LineComment[] = []
  let own: string[] = []
  const lines = text.split('\n')
  for (const line of [...lines, null]) {
    const found = line === null ? null : COMMENT.exec(line)
    if (found !== null || line === null) {
      finish(comments.at(-1), own)
      own = []
    } else own.push(line)
    if (found === null) continue
    const [, word = '', first, last, old, begin = ''] = found
    const range = { line: Number(first), end_line: Number(last ?? first) }
    comments.push({ file: fileIn(word), side: old ? 'old' : 'new', ...range, quote: [], text: begin })
  }
  return comments
}

function finish(comment: LineComment | undefined, lines: readonly string[]): void {
  if (comment === undefined) return
  const isQuote = (line: string | undefined) => line?.startsWith(`${INDENT}>`) === true
  const end = lines.findIndex((line) => !isQuote(line))
  const quoted = lines.slice(0, end === -1 ? lines.length : end)
  comment.quote = quoted.map((line) => line.slice(INDENT.length + 2))
  const rest = lines.slice(quoted.length + 1).map((line) => line.slice(INDENT.length))
  comment.text = [comment.text, ...rest].join('\n').trimEnd()
}

function fileIn(word: string): string {
  if (!word.startsWith('"')) return word
  try {
    return String(JSON.parse(word))
  } catch {
    return word
  }
}
