/**
 * Notifies a person while agents work. Events are collected: what happens within a minute is sent as one message. What
 * needs a person is found by reading the inbox again, so that everything that can get into it is noticed.
 */
import { messageOf } from '../../core/notify/message.ts'
import { isNotifying, type Notice, type NotifySettings } from '../../core/notify/notice.ts'
import { titleOf } from '../../core/task/task.ts'
import { firstLine } from '../../core/text/first-line.ts'
import type { RunPlan, RunResult } from '../../engine/phase/run-plan.ts'
import type { InboxItem } from '../../reports/inbox-item.ts'
import { readInbox } from '../../reports/read-inbox.ts'
import { pausedUntil } from '../../runs/spend/agent-pauses.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { redLine } from '../base/base-watch.ts'
import type { BaseEvents, WorkEvents, WorkWatcher } from '../work-report.ts'
import { sendMessage } from './send-message.ts'

const TOGETHER_MS = 60_000

interface Collected {
  ws: Workspace
  settings: NotifySettings
  reported: WorkEvents['reported']
  notices: Notice[]
  /** What is in the inbox already. */
  known: Set<string>
  /** Agents that reached their limit in this session. */
  paused: Set<string>
  timer: ReturnType<typeof setTimeout> | null
  /** The messages that are being sent, one after another. */
  sending: Promise<void>
}

/** Does the work with a watcher that also notifies. `summarise` words its end. */
export async function withNotices<Report>(
  ws: Workspace,
  settings: NotifySettings,
  watcher: WorkWatcher,
  work: { perform(watcher: WorkWatcher): Promise<Report>; summarise(report: Report): string },
): Promise<Report> {
  if (!isNotifying(settings)) return work.perform(watcher)
  const collected = await openCollected(ws, settings, watcher)
  try {
    const events = noticingEvents(collected, watcher.events)
    const report = await work.perform({ ...watcher, events, ...noticingBase(collected, watcher.base) })
    if (!watcher.stop.aborted && !watcher.cancel.aborted) add(collected, 'finished', null, work.summarise(report))
    return report
  } finally {
    // A person who stops the work knows about it.
    if (!watcher.stop.aborted && !watcher.cancel.aborted) await flush(collected)
    if (collected.timer !== null) clearTimeout(collected.timer)
    await collected.sending
  }
}

async function openCollected(ws: Workspace, settings: NotifySettings, { events }: WorkWatcher): Promise<Collected> {
  return {
    ...{ ws, settings, reported: events.reported, notices: [], paused: new Set<string>(), timer: null },
    known: new Set((await readInbox(ws)).map(keyOf)),
    sending: Promise.resolve(),
  }
}

function noticingEvents(collected: Collected, events: WorkEvents): WorkEvents {
  return {
    ...events,
    landed(task) {
      events.landed(task)
      add(collected, 'landed', task, `landed on ${task.base}`)
    },
    returned(task) {
      events.returned(task)
      collectSoon(collected)
    },
    waiting(landing, base) {
      events.waiting(landing, base)
      collectSoon(collected)
    },
    progress(plan, progress) {
      events.progress(plan, progress)
      if (progress.action !== undefined) noticeResumed(collected, plan.worker.agent.name)
    },
    ended(plan, result, task) {
      events.ended(plan, result, task)
      const about = { number: plan.subject.number, id: task.id, title: titleOf(task) }
      if (result.end.reason === 'usage-limit') noticePaused(collected, plan, result)
      else if (task.status === 'failed') add(collected, 'failed', about, failureText(result))
      collectSoon(collected)
    },
  }
}

/** The inbox has the red base too, but nobody would read it while work waits. */
function noticingBase(collected: Collected, base: BaseEvents | undefined): { base?: BaseEvents } {
  if (base === undefined) return {}
  const held: BaseEvents['held'] = (red) => {
    base.held(red)
    if (red === null) add(collected, 'resumed', null, 'the base passes its checks, and work continues')
    else
      add(collected, 'paused', null, redLine(red, red.in_box ? '' : ` Work waits for another commit on ${red.base}.`))
  }
  return { base: { ...base, held } }
}

function failureText({ end: { reason, detail = '' } }: RunResult): string {
  const line = firstLine(detail)
  return line === '' ? `${reason}` : `${reason}: ${line}`
}

function noticePaused(collected: Collected, { worker }: RunPlan, { caller, reviewer = worker }: RunResult): void {
  const agent = caller ?? worker.agent.name
  if (collected.paused.has(agent)) return
  collected.paused.add(agent)
  const until = pausedUntil(collected.ws, { agent: reviewer.agent, model: reviewer.settings.model })
  add(collected, 'paused', null, `${agent} is at its usage limit${until === null ? '' : ` until ${until}`}`)
}

function noticeResumed(collected: Collected, agent: string): void {
  if (collected.paused.delete(agent)) add(collected, 'resumed', null, `${agent} works again`)
}

function add(collected: Collected, event: Notice['event'], about: Notice['task'], text: string): void {
  if (!collected.settings.events.includes(event)) return
  const task = about && { number: about.number, id: about.id, title: about.title }
  collected.notices.push({ event, at: collected.ws.now(), task, text })
  collectSoon(collected)
}

/** The inbox is read when the minute is over, and not for each event. */
function collectSoon(collected: Collected): void {
  collected.timer ??= setTimeout(() => void flush(collected), TOGETHER_MS)
}

function flush(collected: Collected): Promise<void> {
  if (collected.timer !== null) clearTimeout(collected.timer)
  collected.timer = null
  collected.sending = collected.sending.then(() => send(collected))
  return collected.sending
}

/** A message that does not arrive must not end the work. */
async function send(collected: Collected): Promise<void> {
  const { ws, settings, reported, notices } = collected
  try {
    await noticeInbox(collected)
    const batch = notices.splice(0)
    if (batch.length === 0) return
    for (const { channel, failure } of await sendMessage(ws, settings, messageOf(repositoryName(ws), batch))) {
      if (failure !== null) reported(`notify.${channel} failed: ${firstLine(failure)}`)
    }
  } catch (error) {
    reported(`The notification could not be sent: ${(error as Error).message}`)
  }
}

async function noticeInbox({ ws, settings, notices, known }: Collected): Promise<void> {
  if (!settings.events.includes('needs-you')) return
  for (const item of await readInbox(ws)) {
    const key = keyOf(item)
    if (known.has(key)) continue
    known.add(key)
    const { task, code, detail, subject } = item
    const about = task && { number: task.number, id: task.id, title: task.title }
    const what = task === null && subject !== undefined ? `${subject}: ` : ''
    notices.push({ event: 'needs-you', at: ws.now(), task: about, text: `${what}${code} ${firstLine(detail)}`.trim() })
  }
}

function keyOf({ task, subject = '', code, detail }: InboxItem): string {
  return [task?.id ?? subject, code, detail].join('\n')
}

export function repositoryName({ repo }: Workspace): string {
  return (repo.workTree ?? repo.dir).split('/').at(-1) ?? ''
}
