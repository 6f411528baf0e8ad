import { dirname, join } from 'node:path'
import { clientPaths, foldersOf } from '../../../agents/client-folders.ts'
import { isBox } from '../../../core/isolation/levels.ts'
import { ensureFolder, fileExists, readTextIfThere, writeText } from '../../../platform/files/files.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import type { Env } from '../../../platform/git/git.ts'
import { markedBy } from '../../../platform/git/own-git.ts'
import { passStep } from '../../../platform/processes/crash-point.ts'
import { shownFiles } from '../../guard/install-guard.ts'
import { faultWords } from '../../worktree/worktree-fault.ts'
import { leadTo, restoreLink, takeBackLink } from '../../worktree/worktree-link.ts'
import type { Command, Enclosed, Over, Person } from '../box/box-plan.ts'
import { accountsInside, enclose } from '../box/enclose.ts'
import { findBoxMaker } from '../box/this-machine.ts'
import { openBroker } from '../broker/open-broker.ts'
import type { Imported } from '../private-git/import-work.ts'
import { makePrivateGit } from '../private-git/make.ts'
import { gitIn, openPrivateGit, type PrivateGit, privateFolder, temporaryIn } from '../private-git/private-git.ts'
import { boxedEnvironment } from './boxed-environment.ts'
import { importFrom, importOwnTree, importUnimported } from './import-in-box.ts'
import { takeInBox } from './keep-in-box.ts'
import { planRunBox } from './plan-box.ts'
import { gzaFiles } from './program-files.ts'
import type { RunIsolation } from './run-level.ts'

export interface BoxOrder {
  /** The person's. */
  repo: Repo
  isolation: RunIsolation
  /** gza's own executable. */
  binary: string
  run: string
  /** A worktree that gza has made, or the person's own tree. */
  cwd: string
  isPersons: boolean
  /** Null: a temporary checkout, of which no commit is kept. */
  branch: string | null
  /** That of the agent under the guard. */
  env: Env
  /** Further files and folders that it may read. */
  shown: readonly string[]
  /** Of its checkout. A reviewer writes only the file of its review, if it is asked for one. */
  writes: 'everything' | { only: string | null }
}

/** The box around one phase of an agent. */
export interface AgentBox {
  /** For the agent. */
  env: Env
  enclose(command: Command): Enclosed
  /** After its last process: brings its commits into the repository. Null: there is nothing to keep. */
  close(): Promise<Imported | null>
}

/** Makes what a phase needs to run in a box. Work of an earlier phase that was not imported is imported before. */
export async function openBox(order: BoxOrder): Promise<AgentBox> {
  const { repo, isolation, binary, run, cwd, branch, env, isPersons } = order
  const own = markedBy(repo, run)
  const folder = privateFolder(repo, repo.env, cwd)
  // In a person's own tree nothing leads `.git` away.
  if (!isPersons) restoreLink(own, cwd)
  const { level } = isolation
  // What people have committed on the branch since the last phase comes into the worktree first.
  if (branch !== null && !isPersons) await takeInBox(own, { run, level, branch, worktree: cwd })
  await importUnimported(own, openPrivateGit(folder), level)
  const { allow, isStrict } = isolation
  const opened = { allow, isStrict }
  const git = await makePrivateGit(own, { run, worktree: cwd, branch, folder, opened, isPersons })
  ensureFolder(temporaryIn(folder))
  const writable = writablePaths(git.about.worktree, order.writes)
  for (const path of writable) ensureFolder(path)
  const broker = await openBroker({
    ...{ repo, binary, env, cwd },
    // What fails here fails again at the end of the phase, and is reported then.
    ...(isPersons && { beforeDone: () => importFrom(own, git, level, 'at-work').catch(() => null) }),
  })
  const shown = [gzaFiles(binary), ...shownFiles(repo), ...order.shown]
  const maker = findBoxMaker(binary)
  const accounts = accountFiles(folder, maker.person)
  const link = isBox(isolation.level) ? null : leadAway(own, git)
  return {
    env: { ...boxedEnvironment(env), ...broker.env },
    enclose: (command) => {
      const ofClients = clientFolders(command, isolation)
      const about = { repo, isolation, git, shown, socket: broker.socket, writable, ofClients, accounts }
      const plan = planRunBox({ ...about, network: true })
      return enclose(isolation.level, plan, command, maker)
    },
    close: async () => {
      await broker.close()
      const replaced = link?.takeBack() ?? null
      if (branch === null) return null
      if (isPersons) return withFault(await importOwnTree(own, git, level))
      const imported = await importFrom(own, git, level, 'wait')
      return replaced === null ? imported : { ...imported, kept: [...imported.kept, replaced] }
    },
  }
}

/** The `.git` of a worktree for the time of a phase or a command. */
export interface LedAway {
  /** Returns where a folder is kept that was put in its place. */
  takeBack(): string | null
}

/** A box shows the private git folder at `.git` of the worktree. Without one, the file itself leads there meanwhile. */
export function leadAway(repo: Repo, { folder, about: { worktree } }: PrivateGit): LedAway {
  leadTo(worktree, gitIn(folder))
  passStep(repo.env, 'led-away')
  const takeBack = () => {
    const replaced = takeBackLink(repo, worktree)
    passStep(repo.env, 'led-back')
    return replaced
  }
  return { takeBack }
}

/** Nobody commits what is left in a person's own tree, so work that is not finished there has not arrived. */
function withFault(imported: Imported): Imported {
  const { fault, refused } = imported
  return fault === null ? imported : { ...imported, refused: [...refused, `the agent’s checkout ${faultWords(fault)}`] }
}

function writablePaths(worktree: string, writes: BoxOrder['writes']): string[] {
  if (writes === 'everything') return [worktree]
  return writes.only === null ? [] : [dirname(join(worktree, writes.only))]
}

/** A client cannot make its own folder in a home folder that is read-only. With Landlock nothing new can be made there. */
function clientFolders({ argv: [program = ''], env }: Command, { isStrict, level }: RunIsolation): string[] {
  if (isStrict || !isBox(level)) foldersOf(program, env).forEach(ensureFolder)
  return clientPaths(env).filter(fileExists)
}

/** Root has another number in a box, and the name and the home folder of that number may be somebody else's. */
export function accountFiles(folder: string, { uid }: Person): Over[] {
  if (uid !== 0) return []
  return ['passwd', 'group'].flatMap((name) => {
    const text = readTextIfThere(join('/etc', name))
    if (text === null) return []
    const from = join(folder, name)
    writeText(from, accountsInside(text, uid))
    return [{ from, to: join('/etc', name), access: 'read-only' as const }]
  })
}
