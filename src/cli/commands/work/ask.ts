import { askQuestion } from '../../../tasks/ask-question.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { label } from '../../render/task-text.ts'
import { givenText } from '../../terminal/input.ts'
import { printResult } from '../../terminal/print.ts'

export default async function ask(this: CallContext, flags: GlobalFlags, ref: string, text?: string): Promise<void> {
  const question = (await givenText(this, text)) ?? ''
  const task = await inWorkspace(this, flags, (ws) => askQuestion(ws, ref, question))
  const next = 'Continue with what does not depend on the answer, then end. A person will answer.'
  printResult(this, flags, task, [`Asked about ${label(task, this.display)}. ${next}`])
}
