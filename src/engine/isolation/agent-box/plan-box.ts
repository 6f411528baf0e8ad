/** What the box of a run shows. The tests in test/isolation/runs try each part of it. */

import { dirname, join, resolve } from 'node:path'
import { loginPaths } from '../../../agents/client-folders.ts'
import { isBox } from '../../../core/isolation/levels.ts'
import { fileExists, isFolder } from '../../../platform/files/files.ts'
import { userId } from '../../../platform/files/private-folder.ts'
import { homeFolder, userConfigFolder, userDataFolder, userStateFolder } from '../../../platform/files/user-folders.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { isRemoteAddress } from '../../../platform/git/settings/executing-keys.ts'
import { listSettings } from '../../../platform/git/settings/list-settings.ts'
import { privateGitRoot, workplaceRoot } from '../../../platform/git/workplace-root.ts'
import { listWorktrees } from '../../../platform/git/worktrees.ts'
import type { BoxPlan, Over } from '../box/box-plan.ts'
import { isInside } from '../box/plan-mounts.ts'
import { gitIn, type Opened, objectsInside, type PrivateGit, temporaryIn } from '../private-git/private-git.ts'
import { privateMounts } from '../private-git/private-mounts.ts'
import { commandSockets, containerSockets } from './command-sockets.ts'
import { makeSettingsFolders, passwordFiles, personsGitFiles } from './git-files.ts'
import { gzaFiles } from './program-files.ts'
import type { RunIsolation } from './run-level.ts'

export interface BoxNeeds {
  repo: Repo
  isolation: Opened
  git: PrivateGit
  /** Files of gza that the agent starts or reads. */
  shown: readonly string[]
  /** The socket of its broker; null for a command of the project, which does not call gza. */
  socket: string | null
  /** Folders of its worktree. The rest of it is read-only. */
  writable: readonly string[]
  /** What clients and package managers write elsewhere. */
  ofClients: readonly string[]
  /** What is hidden besides everything that no run sees. */
  hidden?: readonly string[]
  accounts: readonly Over[]
  network: boolean
}

export function planRunBox(needs: BoxNeeds): BoxPlan {
  const { repo, isolation, git, shown, socket, writable, accounts, network } = needs
  const { env } = repo
  const { worktree } = git.about
  const mounts = privateMounts(repo, git)
  const folders = isolation.allow.filter((each) => each.startsWith('/') || each.startsWith('~/'))
  const sockets = [socket ?? '', ...(isolation.allow.includes('ssh-agent') ? [env.SSH_AUTH_SOCK ?? ''] : [])]
  makeSettingsFolders(env)
  const hidden = hiddenPaths(repo, isolation, needs.hidden)
  const isHidden = (path: string) => hidden.some((each) => path === each || isInside(path, each))
  const isAround = (path: string) => [homeFolder(env), worktree].some((each) => path === each || isInside(each, path))
  return {
    hidden,
    readOnly: [
      ...personsGitFiles(repo).filter((path) => !isHidden(path) && !isAround(path) && !isInside(path, worktree)),
      ...[...mounts.readOnly, worktree, ...shown, userDataFolder(env)],
    ],
    writable: [
      ...mounts.writable.filter((path) => path !== worktree),
      // Also at its own path: codex's sandbox covers its files at every path that the list of mounts gives them.
      ...[temporaryIn(git.folder), ...writable],
      ...folders.map((path) => path.replace(/^~(?=\/)/, homeFolder(env))),
      // A home folder that is writable has most of them, but root's box is read-only elsewhere.
      ...needs.ofClients.filter((path) => isolation.isStrict || !isInside(path, homeFolder(env))),
    ],
    over: [
      ...[...mounts.over, ...accounts],
      { from: temporaryIn(git.folder), to: '/tmp', access: 'writable' },
      ...sockets.filter(fileExists).map((path) => ({ from: path, to: path, access: 'writable' as const })),
    ],
    tree: worktree,
    network,
    home: isolation.isStrict ? 'read-only' : 'writable',
  }
}

/** For what commits an agent's files: the same as the agent's, without network and broker. */
export function planKeepBox(repo: Repo, git: PrivateGit, binary: string): BoxPlan {
  const { opened = NOTHING_OPENED, worktree } = git.about
  const isolation = { ...opened, allow: opened.allow.filter((each) => each !== 'ssh-agent') }
  return planRunBox({
    ...{ repo, isolation, git, shown: [gzaFiles(binary)], socket: null, writable: [worktree] },
    ...{ ofClients: [], accounts: [], network: false },
  })
}

const NOTHING_OPENED: Opened = { allow: [], isStrict: false }

/** For the git that reads a private folder: nothing else, not even a worktree, which may be gone. */
export function planImportBox(repo: Repo, git: PrivateGit): BoxPlan {
  const { readOnly, over } = privateMounts(repo, git)
  return {
    hidden: hiddenPaths(repo, { allow: [] }),
    readOnly: [...readOnly, gitIn(git.folder)],
    // In the person's own tree it names the objects by their place in the box.
    over: over.filter(({ to }) => to === objectsInside(git)),
    ...{ writable: [], network: false, home: 'read-only', isSealed: true },
  }
}

/**
 * For a filter or a merge driver of the person that git runs outside: it reads what git reads. Nothing can be written
 * except `writable`, the tree in which a driver leaves its result.
 */
export function planProgramBox(repo: Repo, writable: readonly string[]): BoxPlan {
  const root = workplaceRoot(repo, repo.env)
  const trees = listWorktrees(repo).map(({ path }) => path)
  const shown = [root, repo.commonDir]
  const isShown = (path: string) => shown.some((each) => path === each || isInside(path, each)) || trees.includes(path)
  // Single worktrees of gza come and go, also between this plan and its box.
  const inTmp = trees.filter((path) => isInside(path, '/tmp') && !isInside(path, root))
  return {
    hidden: [
      // Sockets that run commands outside, such as tmux's, are in /tmp.
      ...[...hiddenPaths(repo, { allow: [] }, loginPaths(repo.env)), '/tmp'].filter((path) => !isShown(path)),
      join(repo.commonDir, 'gza'),
    ],
    readOnly: [...shown, ...inTmp],
    ...{ writable, over: [], network: false, home: 'read-only', isSealed: true },
  }
}

/** What an agent has no business with: keys, gza's own state, the repository, its other worktrees and its copies. */
function hiddenPaths(repo: Repo, { allow }: Pick<Opened, 'allow'>, further: readonly string[] = []): string[] {
  const { env } = repo
  const home = homeFolder(env)
  const paths = [
    ...further,
    ...[...KEYS.map((name) => join(home, name)), ...passwordFiles(repo)],
    ...(env.XDG_CONFIG_HOME ? [join(env.XDG_CONFIG_HOME, 'gh'), join(env.XDG_CONFIG_HOME, 'git/credentials')] : []),
    ...[userStateFolder(env), userConfigFolder(env), workplaceRoot(repo, env), privateGitRoot(repo, env)],
    ...[`/run/user/${userId()}`, ...(env.XDG_RUNTIME_DIR ? [env.XDG_RUNTIME_DIR] : [])],
    ...commandSockets(env),
    ...(allow.includes('docker') ? [] : containerSockets(env)),
    ...[repo.commonDir, ...listWorktrees(repo).map(({ path }) => path), ...localRemotes(repo)],
  ]
  // A home folder may itself be a working tree.
  return paths.filter((path) => path.startsWith('/') && path !== '/' && path !== home && !isInside(home, path))
}

/** Nothing in the box can change the person's checkout. With Landlock, or with what a person leaves open, it may. */
export function isCheckoutHidden({ workTree, env }: Repo, { level, allow }: RunIsolation): boolean {
  const home = homeFolder(env)
  const isAroundHome = workTree === home || (workTree !== null && isInside(home, workTree))
  return isBox(level) && allow.length === 0 && !isAroundHome
}

const KEYS = ['.ssh', '.gnupg', '.netrc', '.git-credentials', '.config/gh', '.config/git/credentials']

/** A repository on this machine that this one exchanges commits with. */
function localRemotes(repo: Repo): string[] {
  const addresses = (listSettings(repo) ?? []).flatMap(({ key, value }) => (isRemoteAddress(key) ? [value] : []))
  return addresses
    .map((address) => address.replace(/^file:\/\//, ''))
    .filter((path) => !/^[^/]*:/.test(path))
    .map((path) => resolve(repo.workTree ?? dirname(repo.commonDir), path))
    .filter((path) => isFolder(join(path, '.git')) || isFolder(join(path, 'objects')))
}
