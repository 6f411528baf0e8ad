/**
 * The repositories of submodules that an agent has added in the person's own tree. They are made anew from their commits:
 * settings and hooks of an agent never come back. Without them, the `.git` of a submodule would lead nowhere, and git would
 * refuse every status of the tree.
 */
import { dirname, join, relative, resolve } from 'node:path'
import { shellWord } from '../../../core/text/shell-word.ts'
import { ensureFolder, fileExists, moveFolder, removeFolder } from '../../../platform/files/files.ts'
import { findNested } from '../../../platform/files/untrusted/nested-repositories.ts'
import { readBelow } from '../../../platform/files/untrusted/read-below.ts'
import { removeBelow } from '../../../platform/files/untrusted/remove-below.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import type { GitPlace } from '../../../platform/git/git.ts'
import { guarded, markedBy, runOwnGit, staying, tryOwnGit, tryOwnGitWithin } from '../../../platform/git/own-git.ts'
import { isRefPath } from '../../../platform/git/refs.ts'
import { openWorkTree } from '../../../platform/git/worktrees.ts'
import { untilAsked } from '../../../platform/processes/run-briefly.ts'
import { leadTo } from '../../worktree/worktree-link.ts'
import { type BoxCommand, FETCH_ENVIRONMENT, FETCH_FLAGS, FETCH_SETTINGS, LIMIT_MS } from './fetch-work.ts'
import { gitIn, type PrivateGit } from './private-git.ts'
import { modulesIn } from './private-state.ts'

/** Returns those that could not be made: they stay in the private folder. */
export async function importModules(repo: Repo, git: PrivateGit, box: BoxCommand): Promise<string[]> {
  const { folder, about } = git
  const workTree = openWorkTree(repo, about.worktree)
  if (modulesIn(folder) === null || workTree === null) return []
  const failed: string[] = []
  for (const { name, tree } of addedModules(git)) {
    const to = join(workTree.gitDir, 'modules', name)
    if (fileExists(to)) continue
    const isMade = await makeModule(repo, { git, box, name, tree, to })
    if (!isMade) failed.push(name)
    else if (about.inside === gitIn(folder)) leadTo(tree, to)
    if (isMade) removeModule(folder, name)
  }
  return failed
}

/** With the folders above it that are empty then. */
function removeModule(folder: string, name: string): void {
  const names = ['modules', ...name.split('/')]
  removeBelow(join(gitIn(folder), ...names))
  for (let above = names.slice(0, -1); above.length > 0; above = above.slice(0, -1)) {
    const found = readBelow(gitIn(folder), above, LONGEST_LINK)
    if (found.kind !== 'folder' || found.names.length > 0) return
    removeBelow(join(gitIn(folder), ...above))
  }
}

interface Module {
  name: string
  /** Its folder in the tree. */
  tree: string
}

/** Those whose `.git` in the tree leads into the private folder, as the agent sees it. */
function addedModules({ about: { worktree, inside } }: PrivateGit): Module[] {
  const modules = join(inside, 'modules')
  return findNested(worktree).flatMap(({ folder, git }) => {
    const link = readBelow(worktree, git.split('/'), LONGEST_LINK)
    const to = link.kind === 'file' ? /^gitdir: (.+)$/m.exec(link.text)?.[1] : undefined
    const name = to === undefined ? '' : relative(modules, resolve(worktree, folder, to))
    return isPlainName(name) ? [{ name, tree: join(worktree, folder) }] : []
  })
}

const LONGEST_LINK = 8192

/** Also with blanks and letters of every language. What leads elsewhere, or is not printed as it is, is not a name. */
function isPlainName(name: string): boolean {
  return name.split('/').every((part) => /^[^\s\p{C}\\][^\p{C}\\]*$/u.test(part) && !NOT_NAMES.test(part))
}

const NOT_NAMES = /^(\.|\.\.|\.git)$|\.lock$/i

interface Making extends Module {
  git: PrivateGit
  box: BoxCommand
  to: string
}

async function makeModule(repo: Repo, { git, box, name, tree, to }: Making): Promise<boolean> {
  const { run } = git.about
  const part = join(repo.commonDir, 'gza', `module-${run}`)
  removeFolder(part)
  const marked = guarded(markedBy(repo, run))
  const env = { ...staying(marked.env), ...FETCH_ENVIRONMENT }
  const format = repo.zeroOid.length === 64 ? 'sha256' : 'sha1'
  runOwnGit({ dir: repo.dir, env }, ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, part])
  const place = { dir: part, env: { ...env, GIT_DIR: part } }
  // Its settings name a folder of the tree, which is not in that box.
  const reading = ['env', 'GIT_WORK_TREE=/', 'git', 'upload-pack', '--strict']
  const serve = [...box(reading)].map(shellWord).join(' ')
  const from = join(gitIn(git.folder), 'modules', name)
  const fetch = ['fetch', ...FETCH_FLAGS, '--update-shallow', '--upload-pack', serve, from, ...SPECS]
  const args = [...FETCH_SETTINGS, ...fetch]
  const exit = await untilAsked(run, (cancel) => tryOwnGitWithin(place, args, LIMIT_MS, cancel))
  if (exit === null || exit.code !== 0 || !setHead(place, readBelow(from, ['HEAD'], LONGEST_LINK))) {
    removeFolder(part)
    return false
  }
  // The files are there already. Without them, everything would show as deleted.
  runOwnGit({ ...place, env: { ...place.env, GIT_WORK_TREE: tree } }, ['read-tree', 'HEAD'])
  const set = (key: string, value: string) => runOwnGit(place, ['config', '--file', join(part, 'config'), key, value])
  const url = addressOf(repo, git, name)
  if (url !== null) set('remote.origin.url', url)
  set('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
  set('core.worktree', relative(to, tree))
  set('core.bare', 'false')
  ensureFolder(dirname(to))
  moveFolder(part, to)
  return true
}

const HEAD = 'refs/gza/head'
const SPECS = ['+refs/heads/*:refs/heads/*', '+refs/remotes/*:refs/remotes/*', `+HEAD:${HEAD}`]

function setHead(place: GitPlace, found: ReturnType<typeof readBelow>): boolean {
  const branch = found.kind === 'file' ? /^ref: (refs\/heads\/\S+)\s*$/.exec(found.text)?.[1] : undefined
  const args =
    branch !== undefined && isRefPath(branch)
      ? ['symbolic-ref', 'HEAD', branch]
      : ['update-ref', '--no-deref', 'HEAD', HEAD]
  return tryOwnGit(place, args).code === 0 && tryOwnGit(place, ['update-ref', '-d', HEAD]).code === 0
}

/** As the tree names it; null: not at all, or relative to an address of the person. */
function addressOf(repo: Repo, { about: { branch } }: PrivateGit, name: string): string | null {
  const args = ['config', '--blob', `refs/heads/${branch}:.gitmodules`, `submodule.${name}.url`]
  const { code, stdout } = tryOwnGit(repo, args)
  const url = stdout.toString().trim()
  return code === 0 && /^(https?:\/\/|ssh:\/\/|git:\/\/|file:\/\/|\/|[\w.-]+@[\w.-]+:)/.test(url) ? url : null
}
