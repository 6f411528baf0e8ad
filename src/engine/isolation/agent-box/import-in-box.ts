/** Imports from private git folders. What reads one runs in a box. */
import { isBox, type Level } from '../../../core/isolation/levels.ts'
import { listFolders } from '../../../platform/files/files.ts'
import { removePipes } from '../../../platform/files/untrusted/remove-pipes.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { guarded } from '../../../platform/git/own-git.ts'
import { privateGitRoot } from '../../../platform/git/workplace-root.ts'
import { takeBackLink } from '../../worktree/worktree-link.ts'
import { enclose } from '../box/enclose.ts'
import { findBoxMaker } from '../box/this-machine.ts'
import type { BoxCommand } from '../private-git/fetch-work.ts'
import { importModules } from '../private-git/import-modules.ts'
import { type Imported, importWork, type Moved } from '../private-git/import-work.ts'
import { openPrivateGit, type PrivateGit, privateFolder } from '../private-git/private-git.ts'
import { removePrivateGit } from '../private-git/remove.ts'
import { whyNeeded } from '../private-git/unimported.ts'
import { planImportBox } from './plan-box.ts'
import { findBoxLevel } from './run-level.ts'

export function importFrom(repo: Repo, git: PrivateGit, level: Level, moved: Moved = 'refuse'): Promise<Imported> {
  return importWork(repo, git, boxOfImport(repo, git, level), moved)
}

/** From the person's own tree, with the submodules that were added there. */
export async function importOwnTree(repo: Repo, git: PrivateGit, level: Level): Promise<Imported> {
  const imported = await importFrom(repo, git, level)
  const left = await importModules(repo, git, boxOfImport(repo, git, level))
  const refused = left.map((name) => `the submodule ${name} could not be read; it is in ${git.folder}`)
  return { ...imported, refused: [...imported.refused, ...refused] }
}

/** For what reads a private git folder. */
export function boxOfImport(repo: Repo, git: PrivateGit, level: Level): BoxCommand {
  const plan = planImportBox(repo, git)
  const maker = findBoxMaker()
  const { env } = guarded(repo)
  return (argv) => enclose(level, plan, { argv, cwd: '/', env }, maker).argv
}

/** Imports what a private git folder still has. */
export async function importUnimported(
  repo: Repo,
  git: PrivateGit | null,
  level: Level,
  moved: Moved = 'refuse',
): Promise<void> {
  if (git !== null && whyNeeded(repo, git) === 'unimported') await importFrom(repo, git, level, moved)
}

/**
 * Imports what the private git folder of a worktree still has, whose gza was killed. Returns what held the run; null: it
 * had a box, and this machine has none any more. Then nothing may read its work, and `doctor` names it.
 */
export async function importLeft(repo: Repo, { path, run }: { path: string; run: string }): Promise<Level | null> {
  const git = openPrivateGit(privateFolder(repo, repo.env, path))
  if (git === null) return 'none'
  takeBackLink(repo, git.about.worktree)
  const level = await findBoxLevel(repo.env)
  if (level !== 'none') await importUnimported(repo, git, level, git.about.run === run ? 'wait' : 'refuse')
  if (git.about.run !== run) return 'none'
  return level === 'none' ? null : level
}

/** The same for the person's own tree, which is known by the run alone. Its private folder is then no longer needed. */
export async function importLeftOf(repo: Repo, run: string): Promise<void> {
  for (const folder of listFolders(privateGitRoot(repo, repo.env))) {
    const git = openPrivateGit(folder)
    if (git?.about.run !== run) continue
    const level = git.about.persons === undefined ? 'none' : await findBoxLevel(repo.env)
    if (isBox(level)) await removePipes(git.about.worktree)
    if (isBox(level)) await importUnimported(repo, git, level)
    if (isBox(level)) await importModules(repo, git, boxOfImport(repo, git, level))
    removePrivateGit(repo, folder)
  }
}
