/** What a person can be notified of, in the order in which a message names it. */
export const NOTICE_EVENTS = ['needs-you', 'failed', 'landed', 'paused', 'resumed', 'finished'] as const
export type NoticeEvent = (typeof NOTICE_EVENTS)[number]

/** One event, before several become one message. */
export interface Notice {
  event: NoticeEvent
  at: string
  /** Null: it is not about a task. */
  task: { number: number; id: string; title: string } | null
  /** One line: what happened. */
  text: string
}

export const POST_FORMS = ['json', 'ntfy', 'slack'] as const
export type PostForm = (typeof POST_FORMS)[number]

/** How a person is notified. Only their own configuration file can set it. */
export interface NotifySettings {
  desktop: boolean
  bell: boolean
  /** A command that gets the message as JSON on its standard input. */
  command: string | null
  /** An address that the message is posted to. */
  url: string | null
  /** Null: chosen by the address. */
  form: PostForm | null
  events: readonly NoticeEvent[]
}

/** Whether anything would be sent at all. */
export function isNotifying({ desktop, bell, command, url, events }: NotifySettings): boolean {
  return events.length > 0 && (desktop || bell || command !== null || url !== null)
}
