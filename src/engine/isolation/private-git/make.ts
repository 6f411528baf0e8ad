import { join, relative, resolve, sep } from 'node:path'
import { ensureFolder, isFolder, listFiles, listPaths, moveFolder, writeText } from '../../../platform/files/files.ts'
import { realPath } from '../../../platform/files/inspect-file.ts'
import { filesBelow, placeCopy } from '../../../platform/files/place-file.ts'
import { removeBelow } from '../../../platform/files/untrusted/remove-below.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { gitError } from '../../../platform/git/git.ts'
import { tryOwnGitAsync } from '../../../platform/git/own-git.ts'
import { readHead } from '../../../platform/git/refs.ts'
import type { Entry } from '../../../platform/git/settings/neutral-settings.ts'
import { excludesIn } from '../../../platform/git/worktree-folder.ts'
import { openWorkTree } from '../../../platform/git/worktrees.ts'
import { isRootUser } from '../../../platform/processes/machine.ts'
import { freeName } from '../../worktree/worktree-link.ts'
import { realRefs, writeRefs } from './given-refs.ts'
import { readLocalSettings } from './local-settings.ts'
import { privateConfig } from './private-config.ts'
import {
  type About,
  baseRef,
  gitIn,
  type Opened,
  objectsInside,
  openPrivateGit,
  type PrivateGit,
  writeAbout,
  writeLink,
} from './private-git.ts'
import { clearPrivateLocks, modulesIn } from './private-state.ts'
import { basesOf, forgetRefs, removePrivateGit } from './remove.ts'
import { whyNeeded } from './unimported.ts'

export interface PrivateGitOrder {
  run: string
  /** The worktree that was made for the run, or the person's own tree. */
  worktree: string
  /** Null: a temporary checkout of a commit. */
  branch: string | null
  /** From `privateFolder`. */
  folder: string
  opened?: Opened
  /** The commit that its files are at, if others have moved the branch since. */
  tip?: string
  /** It is the person's own tree. */
  isPersons?: boolean
}

/**
 * Makes the private git folder of a worktree, after the worktree and before anything runs in its box. One that an earlier
 * run left is made anew, unless a merge is unfinished in it: then the agent continues there. Its work must have been
 * imported before. What could not be imported is set aside and stays.
 */
export async function makePrivateGit(repo: Repo, order: PrivateGitOrder): Promise<MadePrivateGit> {
  const { run, folder } = order
  const place = openPlace(repo, order)
  const earlier = openPrivateGit(folder)
  const why = earlier === null ? null : whyNeeded(repo, earlier)
  if (earlier !== null && why === 'unfinished' && earlier.about.tip === place.tip)
    return { ...(await takeOver(repo, earlier, order)), setAside: null }
  const setAside = earlier === null || why === null ? null : freeName(`${folder}.${earlier.about.run}`)
  if (setAside !== null) moveFolder(folder, setAside)
  else clear(folder, earlier, run)
  layOut(repo, place, folder)
  const about = { version: 1, run, ...place.about, ...(order.opened && { opened: order.opened }) } as const
  writeAbout(folder, about)
  // What is set aside still needs its own.
  const before = setAside === null ? (earlier?.about ?? null) : null
  return { folder, about: await keepBase(repo, folder, about, before), setAside }
}

/**
 * The same for a command of the project: nothing that it commits is kept. The worktree's HEAD keeps the commit from being
 * pruned, so that the real repository gets no ref.
 */
export function makeCommandGit(repo: Repo, { run, worktree, folder }: Omit<PrivateGitOrder, 'branch'>): PrivateGit {
  const place = findPlace(repo, { worktree, folder })
  const earlier = openPrivateGit(folder)
  if (earlier !== null && earlier.about.run !== run) removePrivateGit(repo, folder)
  clear(folder, earlier, run)
  layOut(repo, place, folder)
  const about = { version: 1, run, ...place.about, branch: null } as const
  writeAbout(folder, about)
  return { folder, about }
}

/** The repositories of submodules that a command of the same run has cloned stay: the files of the submodules lead there. */
function clear(folder: string, earlier: PrivateGit | null, run: string): void {
  const isOfCommand = earlier?.about.branch === null && earlier.about.run === run
  const kept = isOfCommand ? modulesIn(folder) : null
  const inside = kept === null ? [] : listPaths(gitIn(folder)).filter((path) => path !== kept)
  const beside = kept === null ? [folder] : listPaths(folder).filter((path) => path !== gitIn(folder))
  for (const path of [...inside, ...beside]) if (!removeBelow(path)) throw new Error(`${path} cannot be removed`)
}

export interface MadePrivateGit extends PrivateGit {
  /** Where an earlier one is that contains what could not be imported. */
  setAside: string | null
}

interface Place {
  /** Git's own folder for the worktree. */
  gitDir: string
  head: string
  tip: string
  about: Omit<About, 'version' | 'run'>
}

function openPlace(repo: Repo, order: PrivateGitOrder): Place {
  const place = findPlace(repo, order)
  const { worktree, branch, tip } = place.about
  if (branch !== order.branch) throw new Error(`${worktree} is on ${branch ?? tip}, not on ${order.branch}`)
  const persons = order.isPersons ? { persons: { from: tip, own: tip } } : {}
  const at = order.tip ?? tip
  return { ...place, tip: at, about: { ...place.about, tip: at, ...persons } }
}

function findPlace(repo: Repo, { worktree, folder }: Pick<PrivateGitOrder, 'worktree' | 'folder'>): Place {
  const path = realPath(worktree)
  const workTree = openWorkTree(repo, path)
  if (workTree === null) throw new Error(`${path} is not a worktree of ${repo.commonDir}`)
  const found = readHead(workTree)
  const branch = found.kind === 'branch' ? found.branch : null
  if (found.oid === null) throw new Error(`${path} has no commit`)
  const head = branch === null ? found.oid : `ref: refs/heads/${branch}`
  // `git init --separate-git-dir` makes it a file.
  const isMain = realPath(workTree.gitDir) === realPath(repo.commonDir) && isFolder(join(path, '.git'))
  const inside = isMain ? join(path, '.git') : gitIn(folder)
  return { gitDir: workTree.gitDir, head, tip: found.oid, about: { worktree: path, branch, tip: found.oid, inside } }
}

/** The unfinished merge stays as it is. */
async function takeOver(
  repo: Repo,
  { folder, about: before }: PrivateGit,
  { run, opened }: PrivateGitOrder,
): Promise<PrivateGit> {
  const about = { ...before, run, ...(opened && { opened }) }
  clearPrivateLocks(folder, before.branch)
  writeAbout(folder, about)
  return { folder, about: await keepBase(repo, folder, about, before) }
}

/**
 * In two steps: a deletion needs the lock of packed refs, which a killed git may have left. What stays is forgotten with
 * this folder.
 */
async function keepBase(repo: Repo, folder: string, about: About, earlier: About | null): Promise<About> {
  const args = ['update-ref', '--stdin', '-z']
  const exit = await tryOwnGitAsync(repo, args, `update ${baseRef(about.run)}\0${about.tip}\0\0`)
  if (exit.code !== 0) throw gitError(args, exit)
  if (earlier === null || forgetRefs(repo, basesOf(repo, earlier, about.run))) return about
  const left = { ...about, earlier: [...(earlier.earlier ?? []), earlier.run] }
  writeAbout(folder, left)
  return left
}

function layOut(repo: Repo, { gitDir, head, about }: Place, folder: string): void {
  const git = gitIn(folder)
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', 'hooks'])
    ensureFolder(join(git, name))
  writeText(join(git, 'HEAD'), `${head}\n`)
  writeText(join(git, 'objects/info/alternates'), alternates(repo, about))
  const own: [string, string][] = about.branch === null ? [] : [[`refs/heads/${about.branch}`, about.tip]]
  writeRefs(folder, new Map([...realRefs(repo), ...own]))
  for (const name of ['info/exclude', 'info/attributes', 'shallow']) placeCopy(join(repo.commonDir, name), git, name)
  for (const name of [...OF_WORKTREE, ...sharedIndexes(gitDir)]) placeCopy(join(gitDir, name), git, name)
  const hasExcludes = placeCopy(excludesIn(gitDir), git, excludesIn(''))
  const settings = readLocalSettings(repo, gitDir)
  const hooks = placeHooks(repo, settings, git)
  const excludes = hasExcludes ? excludesIn(about.inside) : null
  writeText(join(git, 'config'), privateConfig(settings, { hooks, excludes, hasOtherOwner: isRootUser() }))
  writeLink(folder, about.inside)
}

/** What git keeps for each worktree. A merge that an agent without a box left unfinished can be finished in the box. */
const OF_WORKTREE = [
  ...['index', 'info/sparse-checkout', 'ORIG_HEAD'],
  ...['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'],
]

/** A split index names the file that it continues. */
function sharedIndexes(gitDir: string): string[] {
  return listFiles(gitDir).flatMap((path) => (/\/sharedindex\.[0-9a-f]+$/.test(path) ? [relative(gitDir, path)] : []))
}

/**
 * Absolute, because git-lfs finds the folder of its own objects beside it. In the person's own tree the private folder is
 * at `.git`, so the real objects are mounted below it.
 */
function alternates(repo: Repo, about: Pick<About, 'inside' | 'worktree'>): string {
  const isAtGit = about.inside === join(about.worktree, '.git')
  const path = isAtGit ? objectsInside({ about }) : join(realPath(repo.commonDir), 'objects')
  const isPlain = !/[\n"\\]|^#/.test(path)
  return `${isPlain ? path : `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`}\n`
}

/**
 * The hooks that were there before run in the box, as copies: an agent may change them, and nobody else runs them. The
 * guard's hooks are not used there. Returns the folder where git finds them; null: its default.
 */
function placeHooks({ commonDir, workTree }: Repo, settings: readonly Entry[], git: string): string | null {
  const set = settings.findLast(({ key }) => key === 'core.hookspath')?.value ?? null
  const folder = set === null ? join(commonDir, 'hooks') : resolve(workTree ?? commonDir, set)
  if (isBelow(commonDir, folder)) {
    copyHooks(folder, git)
    return null
  }
  // Its own tree has what the person's tree has; the person's is hidden.
  return workTree !== null && isBelow(workTree, folder) ? relative(workTree, folder) : set
}

function copyHooks(folder: string, git: string): void {
  if (!isFolder(folder)) return
  for (const path of filesBelow(folder, '.'))
    if (!path.endsWith('.sample')) placeCopy(join(folder, path), git, join('hooks', path))
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(`${folder}${sep}`)
}
