/**
 * A base that fails its checks in a box may just miss something there. Then its code is not at fault; a person learns
 * which setting opens it. Only a base without work of agents is checked outside: their code could fail in the box on
 * purpose, to be run there with the person's rights.
 */
import { dirname, join } from 'node:path'
import type { Config } from '../core/config/settings.ts'
import { adviseOnBox, type BoxAdvice } from '../core/isolation/box-advice.ts'
import { checksHaveNetwork } from '../engine/isolation/agent-box/command-box.ts'
import { NOT_ISOLATED } from '../engine/isolation/agent-box/run-level.ts'
import { fileExists, isFolder } from '../platform/files/files.ts'
import { homeFolder } from '../platform/files/user-folders.ts'
import { type Env, runGit } from '../platform/git/git.ts'
import { tasksInOrder } from '../state/index/read-tasks.ts'
import { ownConfigFile } from '../workspace/config/configuration.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { RedTree } from './build/land-batch.ts'
import { emptyGitlinks, type LandPlace, resetLandPlace } from './build/land-place.ts'
import type { TreeCheck } from './build/verify-tree.ts'
import { verifyInSlot } from './verify-in-slot.ts'

export interface RedBaseCheck {
  config: Config
  place: LandPlace
  commit: string
  check: TreeCheck
  /** How it failed in the box. */
  red: RedTree
}

/** Runs the checks of a red base once more, outside and under the guard, if all of it is the person's own. */
export async function compareOutside(
  ws: Workspace,
  { config, place, commit, check, red }: RedBaseCheck,
): Promise<RedTree> {
  if (red.isCancelled || check.isolation.level === 'none') return red
  if (hasAgentsWork(ws, commit)) return onlyInBox(red, adviceFor(ws, config, { place, check, red }))
  resetLandPlace(place, commit)
  // Submodules that were cloned in the box have their repositories there.
  emptyGitlinks(place)
  const outside = await verifyInSlot(ws, place, commit, { ...check, isolation: NOT_ISOLATED })
  if (outside !== null) return { ...outside, failedOutside: true }
  return { ...red, inBox: adviceFor(ws, config, { place, check, red }) }
}

/** A person can find out whether it passes outside. What the output shows to be missing is named for that case. */
function onlyInBox(red: RedTree, { allow, advice }: BoxAdvice): RedTree {
  const hint = allow.length === 0 ? '' : `. If it passes in your own checkout: ${advice}`
  // A function: the advice may contain what `replace` gives a meaning to.
  return { ...red, detail: red.detail.replace(/$/m, () => `${ONLY_IN_BOX}${hint}`) }
}

const ONLY_IN_BOX = ' (checked only in a box, because work of agents is in it)'

/** Commits of a run are in the history: they have landed, or the run worked in the person's own tree. */
function hasAgentsWork(ws: Workspace, commit: string): boolean {
  const { row } = readLedger(ws)
  const made = new Set<unknown>()
  for (const { runs, commits, landings } of tasksInOrder(ws.state, row.lid)) {
    // A claim is of an agent that gza did not start.
    if (runs.every(({ claimed }) => claimed === true)) continue
    const heads = runs.flatMap(({ in_tree, head }) => (in_tree === true ? [head] : []))
    for (const oid of [...commits, ...heads, ...landings.flatMap((landing) => landing.commits ?? [])]) made.add(oid)
  }
  if (made.size === 0) return false
  const history = runGit(ws.repo, ['rev-list', commit, '--']).toString().split('\n')
  return history.some((oid) => made.has(oid))
}

function adviceFor({ env }: Workspace, config: Config, at: Pick<RedBaseCheck, 'place' | 'check' | 'red'>): BoxAdvice {
  const { place, check, red } = at
  return adviseOnBox(red.detail, {
    isolation: config.isolation,
    hasNetwork: checksHaveNetwork(check.verify, check.isolation),
    file: ownConfigFile(env),
    folderFor: (path, isMissing) => entryFor(path, { env, checkout: place.dir, isMissing }),
  })
}

/** The deepest folder of a path that exists outside. What is missing inside must be there as a whole. */
function entryFor(
  given: string,
  { env, checkout, isMissing }: { env: Env; checkout: string; isMissing: boolean },
): string | null {
  const home = homeFolder(env)
  const path = given.replace(/^~(?=\/)/, home)
  if (isMissing && !fileExists(path)) return null
  const folder = existingFolder(path)
  if (
    WHOLE.has(folder) ||
    folder === home ||
    `${checkout}/`.startsWith(`${folder}/`) ||
    folder.startsWith(`${checkout}/`)
  )
    return null
  return folder.startsWith(`${home}/`) ? join('~', folder.slice(home.length)) : folder
}

/** No entry opens them. */
const WHOLE = new Set(['/', '/tmp', '/proc', '/sys', '/dev', '/usr', '/etc', '/bin'])

function existingFolder(path: string): string {
  return isFolder(path) || path === '/' ? path : existingFolder(dirname(path))
}
