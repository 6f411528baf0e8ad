/** What a person needs to decide about a task: its last log lines, the beginning of its diff, and the choices. */
import type { AgentEvent } from '../../agents/agent.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { landingVersion, queuedOf } from '../../landing/progress/landing-version.ts'
import { type FirstChanges, firstChanges } from '../../landing/review/diff-files.ts'
import { readLogs } from '../../runs/watch/read-logs.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { versionOf } from '../../workspace/expected-version.ts'
import { findTask, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type ResolveChoice, resolveChoices } from './resolve-choices.ts'

export interface EntryDetail {
  version: string
  /** Of its work in the landing queue: a landing names it. Null: nothing of it waits to land. */
  landing_version: string | null
  /** The last lines that the agent of the newest run wrote, the newest last. */
  log: string[]
  /** Null: it has no commits. */
  diff: FirstChanges | null
  choices: ResolveChoice[]
}

export async function readEntry(ws: Workspace, ref: string): Promise<EntryDetail> {
  const view = readLedger(ws)
  const task = findTask(view, ref)
  return {
    version: versionOf(view, task.uid),
    landing_version: await orElse(null, () => landingVersionOf(view, task)),
    log: await orElse([], () => lastLines(ws, ref)),
    diff: await orElse(null, async () => firstChanges(view, task)),
    choices: resolveChoices(view, task),
  }
}

async function landingVersionOf(view: LedgerView, task: Task): Promise<string | null> {
  if (task.status !== 'completed') return null
  const queued = queuedOf(view, await loadConfiguration(view.ws), task)
  return queued && landingVersion(view, queued)
}

/** A task without runs or commits has none of that. */
async function orElse<T>(otherwise: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UserError) return otherwise
    throw error
  }
}

const MOST_LINES = 8

async function lastLines(ws: Workspace, ref: string): Promise<string[]> {
  let lines: string[] = []
  for await (const part of readLogs(ws, ref, { follow: false })) {
    if (part.kind !== 'line') continue
    const texts = part.events.length === 0 ? [part.record.line ?? ''] : part.events.map(textOf)
    const own = texts.flatMap((text) => text.split('\n')).filter((text) => text.trim() !== '')
    lines = [...lines, ...own].slice(-MOST_LINES)
  }
  return lines
}

function textOf(event: AgentEvent): string {
  switch (event.kind) {
    case 'text':
    case 'result':
      return event.text ?? ''
    case 'tool':
      return `${event.name}: ${event.detail}`
    case 'denied':
      return `denied: ${event.name}: ${event.detail}`
    case 'error':
      return event.message
    default:
      return ''
  }
}
