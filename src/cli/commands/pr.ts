import { pullRequestMarkdown } from '../../app/pull-request.ts'
import { printable } from '../../core/printable.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'

export default async function pr(this: Face, flags: GlobalFlags): Promise<void> {
  const markdown = await inWorkspace(this, flags, (ws) => pullRequestMarkdown(ws))
  printResult(this, flags, { markdown }, [printable(markdown.trimEnd(), { multiline: true })])
}
