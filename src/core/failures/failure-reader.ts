/** Something that failed in a project's checks, as its tool names it. */
export interface FoundFailure {
  /** The test, or the place in a file. */
  name: string
  /** Why it failed, in one line; empty if the tool does not say. */
  message: string
}

/** Collects what several readers find in one output. */
export interface Findings {
  /** The same name is found once: many tools repeat their failures in a summary. */
  add(name: string, message?: string): FoundFailure
  drop(failure: FoundFailure): void
}

/** Gets one line after the other, without colours. */
export type FailureReader = (found: Findings) => (line: string) => void

/** A tool that prints the name of a failure, and below it why it failed. */
export interface BlockForm {
  /** Nothing before such a line counts. */
  after?: RegExp
  /** Group 1 is the name. Group 2, if there is one, begins the message. */
  start: RegExp
  /** The message begins after such a line. */
  from?: RegExp
  /** Not part of the message. */
  skip?: RegExp
  /** The message has ended. */
  end?: RegExp
}

/** The reason is at the beginning. After a failure any program may print millions of lines. */
export const LONGEST_BLOCK = 12

export function readBlocks({ after, start, from, skip, end }: BlockForm): FailureReader {
  return (found) => {
    let isOn = after === undefined
    let open: { failure: FoundFailure; lines: string[]; hasBegun: boolean } | null = null
    return (line) => {
      if (!isOn) {
        isOn = after?.test(line) ?? true
        return
      }
      const [whole, name = '', first = ''] = start.exec(line) ?? []
      if (whole !== undefined) {
        const failure = found.add(name.trim(), first.trim())
        open = failure.message === '' || first !== '' ? { failure, lines: [first], hasBegun: from === undefined } : null
        return
      }
      if (open === null) return
      if (!open.hasBegun) {
        open.hasBegun = from?.test(line) ?? true
        return
      }
      if (end?.test(line) || open.lines.length > LONGEST_BLOCK) {
        open = null
        return
      }
      if (skip?.test(line)) return
      open.lines.push(line)
      open.failure.message = messageOf(open.lines)
    }
  }
}

/** What a tool prints about one failure, as one line: its first sentence, and the values that differ. */
export function messageOf(lines: readonly string[]): string {
  const texts = lines.map((line) => line.trim()).filter((line) => line !== '' && !NOISE.test(line))
  const compared = texts.filter((text) => COMPARED.test(text)).slice(0, 2)
  const [first = '', ...rest] = texts.filter((text) => !COMPARED.test(text))
  const sentence = first.replace(/^(?:[×✖] )?(?:error: )?(?:AssertionError(?: \[ERR_ASSERTION\])?: )?/, '')
  if (!sentence.endsWith(':') && !isCallOfExpect(sentence)) return joined([sentence, ...compared])
  const changed = rest.filter((text) => /^[+-] /.test(text)).slice(0, 2)
  const values = compared.length > 0 ? compared : changed.length > 0 ? changed : rest.slice(0, 1)
  if (isCallOfExpect(sentence) && values.length > 0) return joined(values)
  return `${sentence} ${joined(values)}`.trim()
}

/** `expect(received).toBe(expected)` says less than the two values below it. */
function isCallOfExpect(sentence: string): boolean {
  return /^expect\(/.test(sentence)
}

function joined(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => part.replace(/\s+/g, ' ').replace(/,$/, ''))
    .join(', ')
}

const COMPARED = /^(?:expected|received|actual|got|left|right)\s*:\s*\S/i
const NOISE =
  /^(?:at\s|\d+ \||> ?\d+ \||\||❯|⎯|─|\+ actual - expected$|[-+] (?:Expected|Received)\b|stack backtrace:|Traceback \()/
