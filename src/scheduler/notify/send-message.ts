import type { Message } from '../../core/notify/message.ts'
import type { NotifySettings } from '../../core/notify/notice.ts'
import { formOf, postOf } from '../../core/notify/post-form.ts'
import { runBriefly } from '../../platform/processes/run-briefly.ts'
import { desktopNotice } from '../../platform/terminal/desktop-notice.ts'
import { ringBell } from '../../platform/terminal/ring-bell.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export const CHANNELS = ['desktop', 'bell', 'command', 'url'] as const
export type Channel = (typeof CHANNELS)[number]

export interface Sent {
  channel: Channel
  /** Why it did not arrive; null: it did, as far as one can see from here. */
  failure: string | null
}

const LIMIT_MS = 10_000

/** Sends a message through every channel that is configured, at the same time. */
export function sendMessage(ws: Workspace, settings: NotifySettings, message: Message): Promise<Sent[]> {
  const { desktop, bell, command, url, form } = settings
  const sending: Promise<Sent>[] = []
  const add = (channel: Channel, failure: Promise<string | null>): void => {
    sending.push(failure.then((why) => ({ channel, failure: why })))
  }
  if (desktop) add('desktop', run(ws, desktopNotice(message.title, message.text), ''))
  if (bell) add('bell', Promise.resolve(ringBell()))
  if (command !== null) add('command', run(ws, ['sh', '-c', command], `${JSON.stringify(message)}\n`))
  if (url !== null) add('url', postMessage(url, postOf(message, form ?? formOf(url))))
  return Promise.all(sending)
}

function run({ repo, env }: Workspace, argv: string[], input: string): Promise<string | null> {
  return runBriefly({ argv, cwd: repo.workTree ?? repo.dir, env, input, limitMs: LIMIT_MS })
}

/** The address may contain a key: no failure names it. */
async function postMessage(url: string, { headers, body }: ReturnType<typeof postOf>): Promise<string | null> {
  try {
    const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(LIMIT_MS) }
    const { ok, status } = await fetch(url, request)
    return ok ? null : `it answered with ${status}`
  } catch (error) {
    const { name, code } = error as Error & { code?: string }
    return name === 'TimeoutError' ? `no answer in ${LIMIT_MS / 1000} seconds` : `no connection (${code ?? name})`
  }
}
