import { printable } from '../text/printable.ts'
import { shorten } from '../text/shorten.ts'
import { NOTICE_EVENTS, type Notice, type NoticeEvent } from './notice.ts'

/** What is sent for one or more notices. A command gets it as JSON, so its fields are public. */
export interface Message {
  title: string
  /** A line for each notice. */
  text: string
  repository: string
  notices: readonly Notice[]
}

const MOST_LINES = 12
const LONGEST_LINE = 200

/** `shop: 1 needs you, 2 landed`, and what happened line by line, what needs a person first. */
export function messageOf(repository: string, notices: readonly Notice[]): Message {
  const sorted = NOTICE_EVENTS.flatMap((event) => notices.filter((notice) => notice.event === event))
  const counts = NOTICE_EVENTS.flatMap((event) => countWords(event, sorted))
  const lines = sorted.filter((notice) => !isToldAsFailure(notice, sorted)).map(lineOf)
  const more = lines.length - MOST_LINES
  return {
    title: printable(`${repository}: ${counts.join(', ')}`),
    text: [...lines.slice(0, MOST_LINES), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    repository,
    notices: sorted,
  }
}

export function isUrgent({ notices }: Message): boolean {
  return notices.some(({ event }) => event === 'needs-you' || event === 'failed')
}

function countWords(event: NoticeEvent, notices: readonly Notice[]): string[] {
  const count = notices.filter((notice) => notice.event === event).length
  if (count === 0) return []
  if (event === 'finished') return ['finished']
  return [event === 'needs-you' ? `${count} ${count === 1 ? 'needs' : 'need'} you` : `${count} ${event}`]
}

/** A failed task also needs a person; one line is enough. */
function isToldAsFailure({ event, task }: Notice, notices: readonly Notice[]): boolean {
  if (event !== 'needs-you' || task === null) return false
  return notices.some((other) => other.event === 'failed' && other.task?.id === task.id)
}

function lineOf({ task, text }: Notice): string {
  const name = task === null ? '' : `#${task.number} ${task.title}: `
  return printable(shorten(`${name}${text}`, LONGEST_LINE))
}
