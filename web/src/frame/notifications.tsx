import { signal } from '@preact/signals'
import { preference, usePreference } from '../api/preferences.ts'
import type { InboxItem, Repositories } from '../api/types.ts'
import { visibleLines, visibleText } from '../parts/visible-text.ts'
import { go, pathTo } from '../route.ts'

const NAME = 'notifications'
const CHOICES = ['off', 'on'] as const

/** What the browser allows at this address. It forgets that with the port, so the choice itself is kept by the server. */
const permission = signal('Notification' in window ? Notification.permission : 'missing')

/** Notifications of what needs a person. The browser is asked for its permission only when this is pressed. */
export function NotificationButton() {
  const [chosen, choose] = usePreference(NAME, CHOICES)
  if (permission.value === 'missing') return null
  const isOn = chosen === 'on' && permission.value === 'granted'
  const change = async (): Promise<void> => {
    if (isOn) return choose('off')
    permission.value = await Notification.requestPermission()
    choose('on')
  }
  return (
    <button type="button" class="quiet" aria-pressed={isOn} onClick={change} title={titleOf(isOn)}>
      {permission.value === 'denied' ? 'Notifications blocked' : 'Notify me'}
    </button>
  )
}

function titleOf(isOn: boolean): string {
  if (permission.value === 'denied') return 'This browser does not allow notifications at this address'
  return isOn ? 'You are notified of what needs you' : 'Be notified of what needs you'
}

/** One notification for an entry, however many tabs are open: the same tag replaces, and does not show again. */
export function notify({ id, name }: Repositories['repositories'][number], item: InboxItem, tag: string): void {
  if (preference(NAME) !== 'on' || permission.peek() !== 'granted') return
  const { task, subject, detail } = item
  const title = task === null ? subject : `#${task.number} ${task.title}`
  const shown = new Notification(visibleText(`${name}: ${title}`).slice(0, 200), {
    body: visibleLines(detail).slice(0, 300),
    tag: `${id} ${tag}`,
  })
  shown.addEventListener('click', () => {
    focus()
    shown.close()
    go(pathTo(id, 'inbox', ...(task === null ? [] : [task.number])))
  })
}
