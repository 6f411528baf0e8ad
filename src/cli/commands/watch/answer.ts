import { commandLine } from '../../../core/sentence.ts'
import { answerQuestion } from '../../../tasks/ask-question.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { label } from '../../render/task-text.ts'
import { givenText } from '../../terminal/input.ts'
import { printResult } from '../../terminal/print.ts'

export default async function answer(this: CallContext, flags: GlobalFlags, ref: string, text?: string): Promise<void> {
  const given = (await givenText(this, text)) ?? ''
  const task = await inWorkspace(this, flags, (ws) => answerQuestion(ws, ref, given))
  printResult(this, flags, task, [
    `Answered ${label(task, this.display)}. ${commandLine`work ${task.number}`} continues with it.`,
  ])
}
