import { assertAllowed } from '../core/task/agent-mode.ts'
import { UserError } from '../core/user-error.ts'
import { type RunAtPage, reportOwnRun, reportRunAtPage } from '../reports/page-access.ts'
import { useWorkspace, type WorkspaceOptions } from '../workspace/workspace.ts'
import type { ServedRepository } from './served-repositories.ts'

type Env = WorkspaceOptions['env']

/** Throws if an agent has called `gza web`. Of a run, a person hears through the inbox. */
export async function refuseAgents({ folders, env }: { folders: readonly string[]; env: Env }): Promise<void> {
  for (const cwd of folders)
    await useWorkspace({ cwd, env, spansLedgers: true }, (ws) => {
      reportOwnRun(ws)
      assertAllowed('web', ws.actor)
    })
}

/** A process of a run gets no token. A person hears of it in the terminal of the server, and through the inbox. */
export async function refuseRuns(
  { env, report }: { env: Env; report(sentence: string): void },
  repositories: readonly Pick<ServedRepository, 'folder'>[],
  pids: readonly number[],
): Promise<void> {
  for (const { folder } of repositories) {
    const options = { cwd: folder, env, spansLedgers: true }
    const found = await useWorkspace(options, (ws) => reportRunAtPage(ws, pids))
    if (found === null) continue
    report(`A process of ${nameOf(found)} asked for access to the page, and was refused. It is in the inbox.`)
    throw new UserError('NOT_FOR_AGENTS', 'Only people use this page', { hint: 'Use the commands of gza.' })
  }
}

function nameOf({ run, number }: RunAtPage): string {
  return number === null ? `the run ${run}` : `the run ${run} of #${number}`
}
