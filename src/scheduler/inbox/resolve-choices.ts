import { commandLine } from '../../core/sentence.ts'
import { isFinished } from '../../core/task/status-predicates.ts'
import type { Task } from '../../core/task/task.ts'
import { type LedgerView, numberOf } from '../../workspace/ledger/ledger-view.ts'
import type { Resolution } from '../resolve-inbox-entry.ts'

/** One way to resolve an entry, what follows from it, and the same as a command. */
export interface ResolveChoice {
  resolution: Resolution
  label: string
  effect: string
  command: string
}

/** The choices that a person has for a task now. Nobody decides about finished work, or while somebody works on it. */
export function resolveChoices(view: LedgerView, task: Task): ResolveChoice[] {
  if (isFinished(task) || view.leased.has(task.uid)) return []
  const number = numberOf(view, task)
  const isOnHold = task.on_hold === true
  const all: Omit<ResolveChoice, 'command'>[] = [
    { resolution: 'fixed', label: 'I did it myself', effect: FIXED },
    { resolution: 'skip', label: 'Skip it', effect: 'Closes the task as skipped. Tasks that depend on it can start.' },
    { resolution: 'reset', label: 'Start anew', effect: 'Opens the task again, and counts its attempts from zero.' },
    isOnHold
      ? { resolution: 'resume', label: 'Resume its workflow', effect: `Lifts the hold of ${scopeOf(task)}.` }
      : {
          resolution: 'abort',
          label: 'Stop its workflow',
          effect: `Puts ${scopeOf(task)} on hold, until you resume it.`,
        },
  ]
  return all.map((choice) => ({ ...choice, command: COMMANDS[choice.resolution](number) }))
}

const COMMANDS: Record<Resolution, (number: number) => string> = {
  fixed: (number) => commandLine`resolve ${number} --fixed`,
  skip: (number) => commandLine`resolve ${number} --skip`,
  reset: (number) => commandLine`resolve ${number} --reset`,
  abort: (number) => commandLine`resolve ${number} --abort`,
  resume: (number) => commandLine`resolve ${number} --resume`,
}

const FIXED = 'Closes the task as completed. What the agent left does not land by itself.'

function scopeOf({ group, plan_file }: Task): string {
  const rest = [group && `its group ${group}`, plan_file && `its plan ${plan_file}`].filter(Boolean)
  return rest.length === 0 ? 'this task' : `this task and the open tasks of ${rest.join(' and ')}`
}
