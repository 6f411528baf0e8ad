import { command } from '../../../core/sentence.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import { UserError } from '../../../core/user-error.ts'
import { type RestoredLedger, restoreLost } from '../../../tasks/restore-lost.ts'
import { type DeletedTask, deletedTasks, restoreTasks } from '../../../tasks/restore-tasks.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { shortCommit } from '../../render/look/show.ts'
import { renderRestored } from '../../render/plan/changes.ts'
import { label, titleLine } from '../../render/task-text.ts'
import type { Display } from '../../terminal/display.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  lost: boolean
}

export default async function restore(this: CallContext, flags: Flags, ...refs: string[]): Promise<void> {
  if (flags.lost) return joinLostBack(this, flags, refs)
  if (refs.length === 0) return listDeleted(this, flags)
  const tasks = await inWorkspace(this, flags, (ws) => restoreTasks(ws, refs))
  printResult(this, flags, tasks, renderRestored(tasks, this.display))
}

async function joinLostBack(context: CallContext, flags: GlobalFlags, refs: readonly string[]): Promise<void> {
  if (refs.length > 0)
    throw new UserError('USAGE', '--lost takes no task: it restores whole ledgers', {
      hint: command`restore --lost --branch NAME`,
      exitCode: 2,
    })
  const restored = await inWorkspace(context, flags, (ws) => restoreLost(ws, { only: flags.branch }), {
    spansLedgers: true,
  })
  printResult(context, flags, restored, restored.flatMap(restoredLines))
  if (restored.some(({ gone }) => gone.length > 0)) context.exitCode = 1
  if (restored.length === 0 && !flags.json)
    context.err.write('Nothing is lost: no ledger misses a commit that it had.\n')
}

function restoredLines({ ledger, tips, gone, task_count_before, task_count }: RestoredLedger): string[] {
  const name = printable(ledger)
  const commits = tips.map((tip) => shortCommit(tip)).join(', ')
  return [
    ...(tips.length > 0
      ? [`${name}: joined with ${commits} (${plural(task_count, 'task')}, ${task_count_before} before)`]
      : []),
    ...gone.map(
      (tip) => `${name}: ${shortCommit(tip)} is lost: git does not have it any more. Another clone or a backup may.`,
    ),
  ]
}

async function listDeleted(context: CallContext, flags: GlobalFlags): Promise<void> {
  const tasks = await inWorkspace(context, flags, (ws) => deletedTasks(ws))
  printResult(
    context,
    flags,
    tasks,
    tasks.map((task) => deletedLine(task, context.display)),
  )
  if (tasks.length === 0 && !flags.json) context.err.write('No deleted tasks.\n')
}

function deletedLine(task: DeletedTask, display: Display): string {
  const suffix = `(deleted ${task.deleted_at ?? ''} by ${printable(task.deleted_by ?? 'unknown')})`
  return titleLine(task, { prefix: label(task, display), suffix }, display)
}
