import { assertAllowed } from '../core/task/agent-mode.ts'
import { runGit, tryGit } from '../platform/git/git.ts'
import { hideGzaFolder } from '../platform/git/hide-gza-folder.ts'
import type { Workspace } from './workspace.ts'

// Patterns that match one ref each: for a plain name that does not exist yet, git warns at every amend and rebase.
const NOTES = ['refs/notes/task[s]', 'refs/notes/promp[t]']

/** Sets up optional improvements that need no tracked files: links that follow rewrites, and hidden copies. */
export function initRepo(ws: Workspace): { done: string[] } {
  assertAllowed('init', ws.actor)
  const ledger = ws.namedLedger ?? '<branch>'
  return { done: [...followRewrites(ws), ...hidden(ws), `Tasks of ${ledger} are kept in refs/tasks/${ledger}`] }
}

/** Amend and rebase copy notes to the new commits only for the refs named here. */
function followRewrites(ws: Workspace): string[] {
  const present = tryGit(ws.repo, ['config', '--get-all', 'notes.rewriteRef']).stdout.toString().split('\n')
  const missing = NOTES.filter((ref) => !present.includes(ref))
  for (const ref of missing) runGit(ws.repo, ['config', '--local', '--add', 'notes.rewriteRef', ref])
  return [
    missing.length === 0 ? 'Links already follow amend and rebase' : 'Links follow amend and rebase (notes.rewriteRef)',
  ]
}

function hidden(ws: Workspace): string[] {
  if (ws.repo.workTree === null) return []
  const isNew = hideGzaFolder(ws.repo)
  return [isNew ? '.gza/ is hidden from git status (.git/info/exclude)' : '.gza/ is already hidden from git status']
}
