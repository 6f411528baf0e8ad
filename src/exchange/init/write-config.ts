import { join } from 'node:path'
import { SCHEMA_PATH } from '../../core/project/proposal-text.ts'
import { firstLine } from '../../core/text/first-line.ts'
import { UserError } from '../../core/user-error.ts'
import { isLink, writeNewText, writeText } from '../../platform/files/files.ts'
import { refuseForbidden } from '../../platform/files/refuse-forbidden.ts'
import { tryGit } from '../../platform/git/git.ts'
import { placeAt } from '../../platform/git/own-git.ts'
import { readHead } from '../../platform/git/refs.ts'
import { listUncommittedNow } from '../../platform/git/uncommitted.ts'
import { openWorkTree } from '../../platform/git/worktrees.ts'
import { CONFIG_FILE } from '../../workspace/config/configured-ledger.ts'
import { trustWritten } from '../../workspace/config/trust-config.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ConfigProposal } from './propose-config.ts'

/** Writes what a person has agreed to. It is trusted if gza wrote all of it, or if it was trusted before. */
export function writeConfig(ws: Workspace, { action, text, isTrusted }: ConfigProposal): void {
  const path = join(topOf(ws), CONFIG_FILE)
  refuseForbidden(CONFIG_FILE, 'written', () => {
    if (action === 'add' && isLink(path)) throw inTheWay()
    if (action === 'add') writeText(path, text)
    else if (!writeNewText(path, text)) throw inTheWay()
  })
  if (isTrusted) trustWritten(ws, CONFIG_FILE, text)
}

/** Editors find the schema here. It is made anew each time, because another version has other settings. */
export async function writeSchema(ws: Workspace): Promise<void> {
  const { configJsonSchema } = await import('../../workspace/config/config-schema.ts')
  writeText(join(topOf(ws), SCHEMA_PATH), configJsonSchema())
}

/** The state of gza.yaml in git: what there is to commit, and why it cannot be committed. */
export interface Committing {
  isNeeded: boolean
  why: string | null
}

/** `before`: asked before anything was written, so that changes of a person are not committed. */
export function whyNotCommit(ws: Workspace): Committing {
  const top = topOf(ws)
  const place = placeAt(ws.repo, top)
  const state = listUncommittedNow(place).find(({ path }) => path === CONFIG_FILE)?.state
  const isTracked = tryGit(place, ['ls-files', '--error-unmatch', '--', CONFIG_FILE]).code === 0
  if (isTracked && state !== undefined) return { isNeeded: true, why: 'it has changes of yours that are not committed' }
  return { isNeeded: !isTracked, why: whyNoCommitHere(ws, top) }
}

function whyNoCommitHere({ repo }: Workspace, top: string): string | null {
  const head = readHead(repo)
  if (head.oid === null) return 'there is no commit yet'
  if (head.kind === 'detached') return 'no branch is checked out'
  const unfinished = openWorkTree(repo, top)?.unfinished ?? null
  return unfinished === null ? null : `a ${unfinished} is in progress`
}

/** Commits only this file, as the person would: with their hooks and their key. Returns why it was not possible. */
export function commitConfig(ws: Workspace): string | null {
  const place = { dir: topOf(ws), env: ws.env }
  const steps = [
    ['add', '--', CONFIG_FILE],
    ['commit', '--quiet', '-m', 'Configure gza', '--', CONFIG_FILE],
  ]
  for (const args of steps) {
    const { code, stderr, stdout } = tryGit(place, args)
    if (code !== 0) return firstLine(stderr.trim() || stdout.toString().trim()) || `git ${args[0]} exited with ${code}`
  }
  return null
}

function topOf({ repo }: Workspace): string {
  if (repo.workTree !== null) return repo.workTree
  throw new UserError('NO_WORK_TREE', 'A bare repository has no files', { hint: 'Run it in a checkout.' })
}

function inTheWay(): UserError {
  return new UserError('FILE_IN_THE_WAY', `${CONFIG_FILE} was made by somebody else meanwhile, or is a link`, {
    hint: 'Nothing was changed. Look at it, then run the command again.',
  })
}
