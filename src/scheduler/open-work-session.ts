import { openSemaphore } from '../engine/phase/semaphore.ts'
import { openLander } from '../landing/lander.ts'
import { coreCount } from '../platform/processes/machine.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { openBaseWatch } from './base/base-watch.ts'
import { checkNamed, NOTHING_NAMED } from './choose/check-named.ts'
import { openGitMaintenance } from './git-maintenance.ts'
import { watchLedger } from './ledger-watchdog.ts'
import { forgetFault } from './machine-fault.ts'
import { openRemoteWatch } from './remote-watch.ts'
import { slotsOf, taskLimit } from './work-options.ts'
import { refuseTask, type SessionInput, type WorkSession } from './work-session.ts'

export function openWorkSession(input: SessionInput): WorkSession {
  const { ws, config, options, watcher } = input
  const { uids: named, refused } =
    options.refs.length === 0 ? NOTHING_NAMED : checkNamed(readLedger(ws), config.budgets, options)
  const ownMoves = new Map<string, number>()
  const { stop, cancel, events, base } = watcher
  const lander = openLander({ ws, config, ownMoves, watcher: { ...events, stop, cancel, ...(base && { base }) } })
  const session: WorkSession = {
    ...input,
    tasks: {
      named,
      limit: taskLimit(options),
      followUps: new Set(),
      tried: new Set(),
      leftAlone: new Set(),
      suspects: new Set(),
    },
    slots: {
      count: slotsOf(options, config),
      running: new Map(),
      semaphore: openSemaphore(coreCount()),
      proven: new Set(),
      busyFiles: { at: Number.NEGATIVE_INFINITY, files: [] },
      explainedAt: Number.NEGATIVE_INFINITY,
      broken: null,
      fault: null,
      wake: () => {},
    },
    services: {
      lander,
      watchdog: watchLedger(ws, events.reported),
      maintenance: openGitMaintenance(ws.repo),
      remote: openRemoteWatch(ws, events.reported),
      base: openBaseWatch(input, named.length > 0),
      ownMoves,
    },
    report: {
      ...{ completed: [], failed: [], interrupted: [], asked: [], refused: [], paused: [], down: [], day: null },
      ...{ landing: lander.report, summary: null, deadlock: null, baseRed: null, fault: null },
    },
  }
  forgetFault(ws)
  for (const { task, why } of refused) refuseTask(session, task, why)
  lander.wake()
  return session
}
