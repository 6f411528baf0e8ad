/** `writeNotes` for the runs of one process: while one of them waits for git, the others continue. */
import { isCommitId } from '../../../core/ledger/stored-names.ts'
import type { Task } from '../../../core/task/task.ts'
import { addNote } from '../../../ledger/links.ts'
import { tryGitAsync } from '../../../platform/git/git.ts'
import { withIdentity } from '../../../platform/git/git-identity.ts'
import { inLockBeside } from '../../../state/write-lock-beside.ts'
import type { Workspace } from '../../workspace.ts'
import { closings, noteCommits, noteLine } from '../link-commits.ts'

export async function writeNotesBeside(ws: Workspace, tasks: readonly Task[]): Promise<void> {
  const links = closings(tasks)
  if (links.length === 0) return
  const left = await inLockBeside(ws.state, () => addEach(ws, links)).catch(() => links)
  // They have a note already, or git says why it cannot write one.
  noteCommits(ws, left)
}

type Link = ReturnType<typeof closings>[number]

/** Returns those that got no note. */
async function addEach({ repo }: Workspace, links: readonly Link[]): Promise<Link[]> {
  const left: Link[] = []
  for (const link of links) {
    if (!isCommitId(link.commit)) continue
    const added = await tryGitAsync(withIdentity(repo), addNote(link.commit), `${noteLine(link.task)}\n`)
    if (added.code !== 0) left.push(link)
  }
  return left
}
