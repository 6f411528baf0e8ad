/**
 * Makes a fresh worktree ready: copies and links what it gets from the person's checkout, then runs the set-up command.
 * The command runs in a box or under the guard, because it executes what the commit contains, and an agent may have
 * written that.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { WorktreeSettings } from '../../core/config/settings.ts'
import { readTextIfThere, writeText } from '../../platform/files/files.ts'
import { realPath } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { listUntracked } from '../../platform/git/ignored-files.ts'
import { placeAt, runOwnGit } from '../../platform/git/own-git.ts'
import { listUncommitted } from '../../platform/git/uncommitted.ts'
import { adminFolder } from '../../platform/git/worktree-folder.ts'
import { type CommandPlace, nameCommand, runCommand } from '../check/run-command.ts'
import { headOf } from '../check/same-tree.ts'
import type { CommandWindow } from '../isolation/agent-box/command-box.ts'
import { copyPatterns, hideFiles, placeFiles } from './place-files.ts'

export interface SetUpOrder {
  /** As the person's checkout sees it: its ignored files are copied. */
  repo: Repo
  /** The worktree. */
  path: string
  settings: WorktreeSettings
  /** Opens what is around the command. */
  openWindow: () => CommandWindow
  /** Identifies the processes, so that they can be found if gza dies. */
  marker: string
  /** Everything in it is from its commit: what the command changes there is not work. */
  isFresh: boolean
  cancel: AbortSignal
  log: NonNullable<CommandPlace['log']>
}

export interface SetUpFailure {
  isCancelled: boolean
  /** The command and the last lines of its output. */
  detail: string
}

export function needsSetUp(repo: Repo, settings: WorktreeSettings): boolean {
  return settings.setup !== null || settings.link.length > 0 || copyPatterns(repo, settings).length > 0
}

/** Whether the worktree was set up with these settings. A new worktree never was. */
export function isSetUp(repo: Repo, path: string, settings: WorktreeSettings): boolean {
  const folder = adminFolder(repo, realPath(path))
  return folder !== null && readMark(folder)?.digest === digestOf(repo, settings)
}

/** What gza copied and linked into the worktree: it must be in no commit. */
export function placedIn(repo: Repo, path: string): readonly string[] {
  const folder = adminFolder(repo, realPath(path))
  return folder === null ? [] : (readMark(folder)?.placed ?? [])
}

/** Null: it is set up. */
export async function setUpWorktree(order: SetUpOrder): Promise<SetUpFailure | null> {
  const { repo, settings, log } = order
  const path = realPath(order.path)
  const folder = adminFolder(repo, path)
  if (folder === null) throw new Error(`git has no folder for the worktree ${path}`)
  const { placed, missing } = placeFiles(repo, { path, folder }, settings)
  for (const link of missing) log(`${link} was not linked: it does not exist, or the commit has its own`)
  const failure = settings.setup === null ? null : await runSetUp(order, settings.setup)
  if (failure !== null) return failure
  if (order.isFresh) await tidy(order, { path, folder })
  const before = readMark(folder)?.placed ?? []
  const mark: Mark = { digest: digestOf(repo, settings), placed: [...new Set([...before, ...placed])] }
  writeText(join(folder, MARK), JSON.stringify(mark))
  return null
}

/** Copies and links again what was removed since, from the person's own checkout. */
export function placeAgain(repo: Repo, path: string, settings: WorktreeSettings): void {
  const folder = needsSetUp(repo, settings) ? adminFolder(repo, realPath(path)) : null
  if (folder !== null) placeFiles(repo, { path: realPath(path), folder }, settings)
}

/** In git's folder of the worktree, so that it is gone when the worktree is. */
const MARK = 'gza-set-up'

interface Mark {
  digest: string
  placed: string[]
}

function readMark(folder: string): Mark | null {
  try {
    return JSON.parse(readTextIfThere(join(folder, MARK)) ?? 'null')
  } catch {
    return null
  }
}

function digestOf(repo: Repo, settings: WorktreeSettings): string {
  const about = [settings.setup, settings.link, copyPatterns(repo, settings)]
  return createHash('sha256').update(JSON.stringify(about)).digest('hex')
}

async function runSetUp(order: SetUpOrder, command: string): Promise<SetUpFailure | null> {
  const { repo, path, openWindow, marker, settings, cancel, log } = order
  const place = placeAt(repo, path)
  const before = headOf(repo, place)
  const timeoutMs = settings.timeout_minutes * 60_000
  const { close, ...window } = openWindow()
  const { failure } = await runCommand(
    { path, ...window, marker, timeoutMs, cancel, log },
    command,
    'command-failed',
  ).finally(() => {
    for (const line of close()) log(line)
  })
  if (failure !== null) return { isCancelled: failure.what === 'cancelled', detail: failure.detail }
  if (headOf(repo, place) === before) return null
  return { isCancelled: false, detail: `${nameCommand(command)} moved the worktree to another commit` }
}

/** What the command changed in tracked files is undone, and what it made is hidden: neither is the task's work. */
async function tidy({ repo, log }: SetUpOrder, to: { path: string; folder: string }): Promise<void> {
  const place = placeAt(repo, to.path)
  const changes = await listUncommitted(place)
  const made = listUntracked(place)
  const changed = changes.filter(({ state }) => state !== '??').map(({ path }) => path)
  if (made.length > 0) hideFiles(repo, to, made)
  if (changed.length === 0) return
  runOwnGit(place, ['checkout', '--quiet', '--force', 'HEAD', '--', '.'])
  log(`Set-up changed ${changed.join(', ')}. gza has restored that: run it once and commit the result.`)
}
