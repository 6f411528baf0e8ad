import { command } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import { UserError } from '../../../core/user-error.ts'
import { pullRequestMarkdown } from '../../../exchange/describe-pull-request.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  create: boolean
  update: boolean
  draft: boolean
  title?: string
  base?: string
}

const WORDS = { created: 'Opened', updated: 'Updated', unchanged: 'Already up to date:' }

export default async function pr(this: CallContext, flags: Flags): Promise<void> {
  const action = actionOf(flags)
  if (action === null) {
    const markdown = await inWorkspace(this, flags, (ws) => pullRequestMarkdown(ws))
    printResult(this, flags, { markdown }, [printable(markdown.trimEnd(), { multiline: true })])
    return
  }
  const { branch, base, title, draft } = flags
  const { publishPullRequest } = await import('../../../exchange/publish-pull-request.ts')
  // Runs once: a second run would open a second pull request. Which branches can be published is its own to judge.
  const published = await inWorkspace(
    this,
    flags,
    (ws) => publishPullRequest(ws, { action, branch, base, title, draft }),
    { runsOnce: true, unknownName: 'use' },
  )
  printResult(this, flags, published, [`${WORDS[published.result]} ${printable(published.url)}`])
}

function actionOf({ create, update, title, base, draft }: Flags): 'create' | 'update' | null {
  const usage = (why: string) => new UserError('USAGE', why, { hint: command`pr --help`, exitCode: 2 })
  if (create && update) throw usage('--create and --update cannot be combined')
  if (!create && (title !== undefined || base !== undefined || draft))
    throw usage('--title, --base and --draft need --create')
  return create ? 'create' : update ? 'update' : null
}
