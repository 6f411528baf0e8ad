import { plural } from '../../core/text/plural.ts'
import { openEntries } from '../../state/index/list-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { WorkSession } from '../work-session.ts'
import { isWithinLimit } from './choose-tasks.ts'
import { type Why, whyNotRunning } from './why-not-running.ts'

/** More are not looked at: each costs some queries, and the line shows only a few. */
const MOST_LOOKED_AT = 50
const MOST_SHOWN = 3

/** Why free slots are not used: one example for each kind of reason, as `#3: it waits for #1 (in_progress); …`. */
export function whyIdle(session: WorkSession): string {
  const reasons = whysOf(session)
  const kinds = [...Map.groupBy(reasons, ({ code }) => code).values()]
  if (kinds.length === 0) return 'no other task is open'
  const shown = kinds
    .slice(0, MOST_SHOWN)
    .map((some) => `${firstOf(some)}${some.length > 1 ? more(some.length - 1) : ''}`)
  return shown.join('; ')
}

function firstOf([first]: readonly Why[]): string {
  return first === undefined ? '' : `#${first.number}: ${first.detail}`
}

function more(count: number): string {
  return ` (${plural(count, 'other task')} likewise)`
}

function whysOf(session: WorkSession): Why[] {
  const { ws, config, options, slots, tasks } = session
  const view = readLedger(ws)
  const running = new Set([...slots.running.values()].map(({ plan }) => plan.subject.task.uid))
  const looking = { view, config, busy: slots.busyFiles.files, options }
  return openEntries(ws.state, view.row.lid)
    .filter(({ uid }) => !running.has(uid))
    .slice(0, MOST_LOOKED_AT)
    .flatMap(({ uid }) => taskOf(ws.state, view.row.lid, uid) ?? [])
    .map((task) => {
      const why = whyNotRunning(looking, task)
      if (why.code !== 'READY') return why
      const isAsked = isWithinLimit(tasks, task) && (tasks.named.length === 0 || tasks.named.includes(task.uid))
      return { ...why, ...(isAsked ? whyNotYet(session) : NOT_ASKED) }
    })
}

const NOT_ASKED = { code: 'NOT_ASKED', detail: 'it was not asked for' }

/** It may start, but the session waits for something else first. */
function whyNotYet({ services }: WorkSession): Pick<Why, 'code' | 'detail'> {
  if (services.base.checking() !== null) return { code: 'BASE_CHECK', detail: 'it waits for the check of the base' }
  if (services.lander.undecided.size > 0) return { code: 'LANDING', detail: 'it waits for a landing' }
  return { code: 'FIRST_ANSWER', detail: 'it waits until its agent has answered a first time' }
}
