/**
 * `<promise>DONE</promise>`: the words with which an agent reports that its task is done. They count on their own line,
 * outside quotes and code, and not if the agent's client only repeats its prompt.
 */
import { plainLine } from './count-tests.ts'

const PROMISE = '<promise>DONE</promise>'
const SIGNS = [PROMISE, '```', '~~~']
const PROMISE_LINE = /^ {0,3}(\*\*)?<promise>DONE<\/promise>\1\s*$/

export interface PromiseDetector {
  /** One line of the agent's output. */
  read(line: string): void
  /** Many lines as bytes, without the last newline. They are decoded only if one of them matters. */
  readMany(lines: Uint8Array): void
  /** Another message follows, unrelated to the lines before. */
  pause(): void
  isPromised(): boolean
}

export function openPromiseDetector(prompt: string): PromiseDetector {
  const prompted = withoutBlanks(prompt)
  let fence: string | null = null
  let before = ''
  let isPromised = false
  // A fence that is never closed quotes nothing: whole outputs can have an odd number of fences.
  let isPending = false

  function read(line: string): void {
    const text = plainLine(line)
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1]
    if (mark && isFence(mark, fence)) {
      if (fence !== null) isPending = false
      fence = fence === null ? mark : null
    } else if (PROMISE_LINE.test(text) && !isEcho(prompted, before)) {
      if (fence === null) isPromised = true
      else isPending = true
    }
    before = (before + withoutBlanks(text.slice(-LONGEST_TAIL))).slice(-CONTEXT)
  }

  function readMany(lines: Uint8Array): void {
    const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length)
    // Without a promise or a fence, only the text before a possible promise matters.
    const kept = SIGNS.some((sign) => bytes.includes(sign)) ? bytes : bytes.subarray(-LONGEST_TAIL)
    for (const line of kept.toString().split('\n')) read(line)
  }

  function pause(): void {
    isPromised ||= isPending
    isPending = false
    fence = null
    before = ''
  }

  return { read, readMany, pause, isPromised: () => isPromised || isPending }
}

/**
 * This many characters before a promise decide whether the prompt contains the same text, however its lines were
 * broken.
 */
const CONTEXT = 30
const LONGEST_TAIL = 1000

function isEcho(prompted: string, before: string): boolean {
  return before !== '' && prompted.includes(before + PROMISE)
}

function isFence(mark: string, open: string | null): boolean {
  return open === null || (mark[0] === open[0] && mark.length >= open.length)
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '')
}
