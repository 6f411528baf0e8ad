import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { command, sentence } from '../../core/sentence.ts'
import { OUTPUT_FOLDERS } from '../../core/task/output-folders.ts'
import { refOf, type TaskRef } from '../../core/task/task.ts'
import { oneLine } from '../../core/text/one-line.ts'
import { UserError } from '../../core/user-error.ts'
import { readTextIfThere } from '../../platform/files/files.ts'
import { commandFor } from '../../runs/watch/next-command.ts'
import { entry, findTask } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { warnOfEditedCopies } from '../../workspace/texts/copies.ts'
import { readText, textsOf } from '../../workspace/texts/task-texts.ts'
import { derivedStatus } from '../../workspace/views/task-status.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export interface PlanSource {
  text: string
  /** The name for messages. */
  name: string
  /** The name for tasks: the path from the top of the repository. */
  planFile: string
  /** The task that wrote the plan. */
  basedOn: TaskRef[]
  /** The criteria of the product, if there is a PRODUCT.md. */
  product: { name: string; text: string } | null
}

/** A text that was already read; null for the path of standard input. */
export interface PlanText {
  path: string | null
  text: string
}

/** A file that was already read, or null if the name is not a file and may be a task. */
export function findPlanSource(ws: Workspace, name: string, file: PlanText | null): PlanSource {
  if (file === null) return planOfTask(ws, name)
  if (file.path === null) {
    const product = ws.repo.workTree === null ? null : findProduct(ws, ws.repo.workTree)
    return { text: file.text, name: STANDARD_INPUT, planFile: '', basedOn: [], product }
  }
  const planFile = nameFromTop(ws, file.path)
  return { text: file.text, name, planFile, basedOn: [], product: findProduct(ws, dirname(file.path)) }
}

export const STANDARD_INPUT = 'standard input'

/** Plans from standard input are identified by their titles; a plan without a title is identified by its text. */
export function nameOfPiped(title: string | null, text: string): string {
  if (title !== null) return `${STANDARD_INPUT}: ${oneLine(title)}`
  return `${STANDARD_INPUT}: ${new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 12)}`
}

/** A path as seen from the top of the repository. */
export function nameFromTop({ repo }: Workspace, path: string): string {
  return (
    relative(repo.workTree ?? repo.gitDir, path)
      .split(sep)
      .join('/') || '.'
  )
}

function planOfTask(ws: Workspace, ref: string): PlanSource {
  const view = readLedger(ws)
  const task = findPlanTask(() => findTask(view, ref), ref)
  const artifact = textsOf(view, task).at(-1)
  const text = artifact && readText(view, artifact)
  if (artifact === undefined || text === undefined) {
    const row = entry(view, task.uid)
    const status = row === undefined ? task.status : derivedStatus(view, row)
    throw new UserError('NO_PLAN', `Task #${row?.number ?? task.number} has not written a plan; it is ${status}`, {
      hint: row === undefined ? command`show ${task.number}` : commandFor(view, row),
    })
  }
  warnOfEditedCopies(view, task)
  const planFile = `.gza/${OUTPUT_FOLDERS[task.type] ?? 'plans'}/${basename(artifact.path)}`
  const product = ws.repo.workTree === null ? null : findProduct(ws, ws.repo.workTree)
  return { text, name: basename(artifact.path), planFile, basedOn: [refOf(task)], product }
}

function findPlanTask<T>(find: () => T, ref: string): T {
  try {
    return find()
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'TASK_NOT_FOUND') throw error
    throw new UserError('NO_SUCH_PLAN', `There is no file and no task ${ref}`, {
      hint: sentence`Name a file, or the task that wrote the plan: ${command`list --type plan --all`}`,
      exitCode: 2,
    })
  }
}

/** Next to the plan, otherwise at the top of the repository. */
function findProduct({ repo }: Workspace, folder: string): PlanSource['product'] {
  const top = repo.workTree
  const paths = [join(folder, 'PRODUCT.md'), ...(top === null ? [] : [join(top, 'PRODUCT.md')])]
  for (const path of paths) {
    const text = readTextIfThere(path)
    if (text !== null)
      return {
        name: relative(resolve(top ?? folder), path)
          .split(sep)
          .join('/'),
        text,
      }
  }
  return null
}
