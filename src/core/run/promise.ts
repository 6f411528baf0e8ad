/**
 * `<promise>DONE</promise>` (001): the words by which an agent says that its task is done. They count on a line of their
 * own, outside quotes and code, and not where the agent's client only repeats what it was told.
 */
import { plainLine } from './test-counts.ts'

const PROMISE = '<promise>DONE</promise>'
const PROMISE_LINE = /^ {0,3}(\*\*)?<promise>DONE<\/promise>\1\s*$/

export interface PromiseDetector {
  /** One line of what the agent says. */
  read(line: string): void
  /** What follows has nothing to do with the lines before: another message. */
  pause(): void
  isPromised(): boolean
}

export function openPromiseDetector(prompt: string): PromiseDetector {
  const told = squeeze(prompt)
  let fence: string | null = null
  let before = ''
  let isPromised = false
  // Inside a fence that is never closed nothing is quoted: whole outputs have an odd number of fences.
  let isPending = false

  function read(line: string): void {
    const text = plainLine(line)
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1]
    if (mark && isFence(mark, fence)) {
      if (fence !== null) isPending = false
      fence = fence === null ? mark : null
    } else if (PROMISE_LINE.test(text) && !isEcho(told, before)) {
      if (fence === null) isPromised = true
      else isPending = true
    }
    before = (before + squeeze(text.slice(-LONGEST_TAIL))).slice(-CONTEXT)
  }

  function pause(): void {
    isPromised ||= isPending
    isPending = false
    fence = null
    before = ''
  }

  return { read, pause, isPromised: () => isPromised || isPending }
}

/** As many characters before a promise tell whether it stands like that in the prompt, however its lines were broken. */
const CONTEXT = 30
const LONGEST_TAIL = 1000

function isEcho(told: string, before: string): boolean {
  return before !== '' && told.includes(before + PROMISE)
}

function isFence(mark: string, open: string | null): boolean {
  return open === null || (mark[0] === open[0] && mark.length >= open.length)
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '')
}
