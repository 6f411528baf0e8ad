import type { Config } from '../core/config/settings.ts'
import { commandLine } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import { nextStep } from '../landing/next-step.ts'
import { type QueueItem, queueItems } from '../landing/read-queue.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { judgedCommit } from '../tasks/checks/commit-to-judge.ts'
import { loadConfiguration } from '../workspace/config/configuration.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { nameOf } from '../workspace/views/task-status.ts'
import type { InboxItem } from './inbox-item.ts'

/** Finished tasks that need a person to land: those that were refused, and those that may not land automatically. */
export async function unlandedTasks(view: LedgerView): Promise<InboxItem[]> {
  const config = await readableConfig(view)
  return config === null ? [] : waitingItems(view, config).flatMap((item) => inboxItem(view, item))
}

/** An error in a configuration file or a missing base must not hide the inbox. */
function waitingItems(view: LedgerView, config: Config): QueueItem[] {
  try {
    return queueItems(view, config).filter(needsPerson)
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}

async function readableConfig(view: LedgerView): Promise<Config | null> {
  try {
    return await loadConfiguration(view.ws)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

function needsPerson({ code, automatic }: QueueItem): boolean {
  if (code === 'LAND_CONFLICT' || code === 'LAND_RED' || isCheckouts(code)) return true
  return automatic && !CONTINUING.has(code) && !DECIDED.has(code)
}

/** Only the checkout of the base is in the way. */
function isCheckouts(code: string): boolean {
  return code === 'CHECKOUT_DIRTY' || code === 'CHECKOUT_LOCKED'
}

/** They continue automatically, or wait for gza merge as configured. */
const CONTINUING: ReadonlySet<string> = new Set([
  ...['READY', 'VERIFYING', 'BISECTING', 'LANDING', 'SENT_BACK', 'NOT_COMPLETED'],
])

/** A person has decided about them already. */
const DECIDED: ReadonlySet<string> = new Set(['SKIPPED', 'CLOSED_BY_HAND'])

function inboxItem(view: LedgerView, item: QueueItem): InboxItem[] {
  const { uid, detail, code } = item
  const row = entry(view, uid)
  return row === undefined
    ? []
    : [{ task: nameOf(view, row), code, detail: `it ${detail}`, commands: commandsFor(view, item) }]
}

function commandsFor(view: LedgerView, { uid, code, number, needs_branches: needs, detail }: QueueItem): string[] {
  if (isCheckouts(code)) return [commandLine`queue`, commandLine`merge ${number}`]
  const land = commandLine`merge ${number}`
  if (code === 'LAND_CONFLICT' || code === 'LAND_RED')
    return [commandLine`diff ${number}`, commandLine`edit ${number} --reopen`, land]
  if (code === 'NOT_APPROVED') return [commandLine`review ${number}`, ...approving(view, uid, number), land]
  if (code === 'OUT_OF_SCOPE')
    return [commandLine`diff ${number}`, commandLine`edit ${number} --files-to-modify PATH`, land]
  if (code === 'WEAKENED') return [commandLine`show ${number}`, commandLine`diff ${number}`, land]
  if (code === 'ON_HOLD') return [commandLine`resolve ${number} --resume`]
  if (code !== 'DEPENDENCY_NOT_LANDED') return [commandLine`diff ${number}`, land]
  const next = nextStep(view, { code, detail, ...(needs && { needs }) }, number)
  return [...(next === null ? [] : [next]), commandLine`queue`]
}

/** A person's verdict takes the place of a review, so there must be one of what would land. */
function approving(view: LedgerView, uid: string, number: number): string[] {
  const task = taskOf(view.ws.state, view.row.lid, uid)
  const isJudged = task !== null && judgedCommit(view, task) !== null
  return isJudged ? [commandLine`edit ${number} --verdict APPROVED`] : []
}
