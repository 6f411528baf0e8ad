import { isUrgent, type Message } from './message.ts'
import type { PostForm } from './notice.ts'

export interface Post {
  headers: Record<string, string>
  body: string
}

/** A message in the form that the service behind an address reads. */
export function postOf(message: Message, form: PostForm): Post {
  if (form === 'ntfy') return ntfyPost(message)
  const body = form === 'slack' ? { text: slackText(message) } : message
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

/** Slack and ntfy are known by their hosts. Everything else gets the message as JSON. */
export function formOf(url: string): PostForm {
  const host = URL.parse(url)?.hostname ?? ''
  if (host === 'hooks.slack.com') return 'slack'
  return host === 'ntfy.sh' || host.startsWith('ntfy.') ? 'ntfy' : 'json'
}

/** A header holds no other characters than ASCII; ntfy reads this encoding of them. */
function ntfyPost(message: Message): Post {
  const { title, text } = message
  const encoded = `=?UTF-8?B?${Buffer.from(title).toString('base64')}?=`
  return { headers: { Title: encoded, ...(isUrgent(message) && { Priority: 'high' }) }, body: text }
}

/** Three characters have a meaning for Slack. A task's title must not mention a whole channel. */
function slackText({ title, text }: Message): string {
  return `${title}\n${text}`.replace(/[&<>]/g, (character) => SLACK_ESCAPES[character] ?? character)
}

const SLACK_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
