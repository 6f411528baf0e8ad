/**
 * What is around a command of the project while it runs: set-up, `verify.command`, `test_command`. It executes what an
 * agent may have written, so it has a box of its own wherever agents have one.
 */
import { cachePaths, loginPaths } from '../../../agents/client-folders.ts'
import type { VerifySettings } from '../../../core/config/settings.ts'
import { isBox } from '../../../core/isolation/levels.ts'
import { ensureFolder, fileExists } from '../../../platform/files/files.ts'
import { removeBelow } from '../../../platform/files/untrusted/remove-below.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import type { Env } from '../../../platform/git/git.ts'
import { markedBy } from '../../../platform/git/own-git.ts'
import { guardEnvironment } from '../../guard/guard-environment.ts'
import type { GuardWindow } from '../../guard/guard-window.ts'
import { shownFiles } from '../../guard/install-guard.ts'
import type { Enclose } from '../box/box-plan.ts'
import { enclose } from '../box/enclose.ts'
import { findBoxMaker } from '../box/this-machine.ts'
import { makeCommandGit } from '../private-git/make.ts'
import { besideFolder, openPrivateGit, privateFolder, temporaryIn } from '../private-git/private-git.ts'
import { modulesIn } from '../private-git/private-state.ts'
import { removePrivateGit } from '../private-git/remove.ts'
import { whyNeeded } from '../private-git/unimported.ts'
import { boxedEnvironment } from './boxed-environment.ts'
import { accountFiles, type LedAway, leadAway } from './open-box.ts'
import { planRunBox } from './plan-box.ts'
import { gzaFiles } from './program-files.ts'
import type { RunIsolation } from './run-level.ts'

/** A box, or the guard where there is none. */
export interface CommandWindow {
  /** For the command. */
  env: Env
  /** The same command in the box; absent: it runs under the guard. */
  enclose?: Enclose
  /** Returns what a person should know, as lines for the log. */
  close(): string[]
}

export interface CommandOrder {
  /** The person's. */
  repo: Repo
  isolation: RunIsolation
  /** gza's own executable. */
  binary: string
  run: string
  /** The name under which it runs, as that of an agent. */
  agent: string
  /** Its checkout. */
  cwd: string
  /** The person's, with the variables of the slot. */
  env: Env
  /** Further files and folders that it may read. */
  shown: readonly string[]
  network: boolean
}

export function openCommandWindow(order: CommandOrder, openGuard: () => GuardWindow): CommandWindow {
  const { level } = order.isolation
  if (isBox(level)) return openCommandBox(order)
  const guard = openGuardWindow(openGuard)
  if (level === 'none') return guard
  // Landlock leaves ways out that the guard watches.
  const box = openCommandBox(order)
  return { ...box, close: () => [...box.close(), ...guard.close()] }
}

function openGuardWindow(openGuard: () => GuardWindow): CommandWindow {
  const guard = openGuard()
  const close = (): string[] => {
    const { putBack, changedRefs } = guard.close()
    return [...putBack, ...changedRefs]
  }
  return { env: guard.env, close }
}

/**
 * The guard does not compare anything here. Inside of the box the repository is hidden, so that nothing of it can change,
 * and what the command does to its private git folder is gone afterwards.
 */
function openCommandBox(order: CommandOrder): CommandWindow {
  const { repo, isolation, binary, run, agent, cwd, network } = order
  const folder = freeFolder(repo, cwd)
  const keep = isolation.allow.includes('ssh-agent') ? ['SSH_AUTH_SOCK', 'SSH_AGENT_PID'] : []
  const env = boxedEnvironment(guardEnvironment(order.env, { repo, binary, run, agent, keep }))
  const own = privateFolder(repo, repo.env, cwd)
  // Where its submodules lead, if an agent's folder is there.
  const modules = folder === own ? null : modulesIn(own)
  const shown = [gzaFiles(binary), ...shownFiles(repo), ...order.shown, ...(modules === null ? [] : [modules])]
  const maker = findBoxMaker(binary)
  let link: LedAway | null = null
  return {
    env,
    // Of two commands, the second finds nothing of what the first has done to its git folder.
    enclose: (command) => {
      const git = makeCommandGit(repo, { run, worktree: cwd, folder })
      ensureFolder(temporaryIn(folder))
      if (!isBox(isolation.level)) link = leadAway(markedBy(repo, run), git)
      const plan = planRunBox({
        ...{ repo, isolation, git, shown, network, socket: null, writable: [git.about.worktree] },
        hidden: loginPaths(order.env),
        ofClients: cachePaths(order.env).filter(fileExists),
        accounts: accountFiles(folder, maker.person),
      })
      return enclose(isolation.level, plan, command, maker)
    },
    close: () => {
      const replaced = link?.takeBack() ?? null
      if (folder === own) removeBelow(temporaryIn(folder))
      else removePrivateGit(repo, folder)
      return replaced === null
        ? []
        : [`A command replaced .git of its worktree. What it put there is kept as ${replaced}`]
    },
  }
}

/** Set-up has the network. Checks lose it where a person or the project wants that. */
export function checksHaveNetwork({ network }: VerifySettings, { isStrict, allow }: RunIsolation): boolean {
  return allow.includes('network-for-checks') || (network === 'on' && !isStrict)
}

/** The private git folder of the worktree, unless it contains an agent's work that is nowhere else. */
function freeFolder(repo: Repo, worktree: string): string {
  const folder = privateFolder(repo, repo.env, worktree)
  const git = openPrivateGit(folder)
  return git === null || whyNeeded(repo, git) === null ? folder : besideFolder(folder)
}
