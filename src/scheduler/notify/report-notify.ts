import { messageOf } from '../../core/notify/message.ts'
import { isNotifying, type NotifySettings } from '../../core/notify/notice.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { repositoryName } from './notifier.ts'
import { CHANNELS, type Channel, type Sent, sendMessage } from './send-message.ts'

export interface NotifyReport {
  channels: Channel[]
  events: readonly string[]
  /** The results of a test message, one for each channel; null: none was sent. */
  sent: Sent[] | null
}

/** Which notifications are configured. With `test`, one is sent through every channel. */
export async function reportNotify(ws: Workspace, { test }: { test: boolean }): Promise<NotifyReport> {
  assertAllowed('notify', ws.actor)
  const { notify } = await loadConfiguration(ws)
  if (!isNotifying(notify)) throw nothingConfigured()
  const text = 'This is a test message.'
  const message = messageOf(repositoryName(ws), [{ event: 'finished', at: ws.now(), task: null, text }])
  const sent = test ? await sendMessage(ws, notify, message) : null
  return { channels: channelsOf(notify), events: notify.events, sent }
}

function channelsOf(settings: NotifySettings): Channel[] {
  return CHANNELS.filter((channel) => settings[channel] !== null && settings[channel] !== false)
}

function nothingConfigured(): UserError {
  return new UserError('NOT_CONFIGURED', 'No notifications are configured', {
    hint: 'Add a section `notify:` with desktop, bell, command or url to your own file, ~/.config/gza/config.yaml.',
  })
}
