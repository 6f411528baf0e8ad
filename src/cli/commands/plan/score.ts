import { UserError } from '../../../core/user-error.ts'
import { STANDARD_INPUT } from '../../../planning/import/plan-source.ts'
import { type Scored, scoreFiled, scoreText } from '../../../planning/split/score-task.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderScore, renderScores } from '../../render/plan/score.ts'
import { readInput } from '../../terminal/input.ts'
import { printResult } from '../../terminal/print.ts'

export default async function score(this: CallContext, flags: GlobalFlags, name: string): Promise<void> {
  const scored = await inWorkspace(this, flags, (ws) => scoreNamed(this, ws, name))
  printResult(
    this,
    flags,
    scored,
    Array.isArray(scored) ? renderScores(scored, this.display) : renderScore(scored, this.display),
  )
}

/** A task, otherwise a file. Only a name with a dot or a slash can be a file, so a mistyped id is reported as a task. */
async function scoreNamed(context: CallContext, ws: Workspace, name: string): Promise<Scored | Scored[]> {
  const isFileName = name === '-' || /[./\\]/.test(name)
  try {
    return await scoreFiled(ws, name)
  } catch (error) {
    if (!isFileName || !(error instanceof UserError) || error.code !== 'TASK_NOT_FOUND') throw error
    return scoreText(ws, { text: readInput(context, name), name: name === '-' ? STANDARD_INPUT : name })
  }
}
