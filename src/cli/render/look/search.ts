import { printable } from '../../../core/text/printable.ts'
import type { FoundTask, SearchResult } from '../../../workspace/search/search-tasks.ts'
import type { Display } from '../../terminal/display.ts'
import { cutTo, widthOf } from '../../terminal/fit-to.ts'
import { label, statusWord, titleLine } from '../task-text.ts'

/** Two lines for each task: its name, and where the words were found. */
export function* renderFound(
  tasks: readonly FoundTask[],
  display: Display,
  options: { ledgers: boolean },
): Iterable<string> {
  for (const task of tasks) {
    const status = task.status === 'pending' ? '' : `(${statusWord(task.status, display)})`
    const ledger = options.ledgers ? `[${printable(task.ledger)}]` : ''
    const suffix = [status, ledger].filter((part) => part !== '').join(' ')
    yield titleLine(task, { prefix: label(task, display), suffix }, display)
    yield placeLine(task, display)
  }
}

function placeLine({ field, artifact, snippet, matches }: FoundTask, display: Display): string {
  const place = `    ${artifact === null ? field : `${field} ${printable(artifact)}`}: `
  let line = ''
  let left = display.width === null ? Number.POSITIVE_INFINITY : Math.max(SHORTEST, display.width - widthOf(place))
  const add = (text: string, style: (text: string) => string) => {
    const shown = cutTo(printable(text), left)
    if (left > 0) line += style(shown)
    left -= widthOf(shown)
  }
  let at = startToShow(snippet, matches[0], left)
  if (at > 0) add('…', (text) => text)
  for (const [start, end] of matches) {
    add(snippet.slice(at, start), (text) => text)
    add(snippet.slice(start, end), display.style.red)
    at = end
  }
  add(snippet.slice(at), (text) => text)
  return `${display.style.dim(place)}${line}`
}

const SHORTEST = 12

/** On a narrow terminal the words before the first match are left out: the match must be seen. */
function startToShow(snippet: string, first: [number, number] | undefined, columns: number): number {
  const [start, end] = first ?? [0, 0]
  return widthOf(printable(snippet.slice(0, end))) < columns ? 0 : start
}

/** On stderr, so that a script gets only what was found. */
export function moreFound({ found, total, isTotalOpen }: SearchResult): string[] {
  if (isTotalOpen) return [`${found.length} of the newest ${total} matches are shown. Add a word to find older ones.`]
  return found.length < total ? [`${found.length} of ${total} are shown. --limit ${total} shows all.`] : []
}
