/**
 * A base that fails its checks in a box may only miss something there. Then its code is not at fault, and a person is told
 * which setting opens it.
 */
import { dirname, join } from 'node:path'
import type { Config } from '../core/config/settings.ts'
import { adviseOnBox, type BoxAdvice } from '../core/isolation/box-advice.ts'
import { checksHaveNetwork } from '../engine/isolation/agent-box/command-box.ts'
import { NOT_ISOLATED } from '../engine/isolation/agent-box/run-level.ts'
import { fileExists, isFolder } from '../platform/files/files.ts'
import type { Env } from '../platform/git/git.ts'
import { ownConfigFile } from '../workspace/config/configuration.ts'
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

/** Runs the checks of a red base once more, outside and under the guard: it is the person's own. */
export async function compareOutside(
  ws: Workspace,
  { config, place, commit, check, red }: RedBaseCheck,
): Promise<RedTree> {
  if (red.isCancelled || check.isolation.level === 'none') return red
  resetLandPlace(place, commit)
  // Submodules that were cloned in the box have their repositories there.
  emptyGitlinks(place)
  const outside = await verifyInSlot(ws, place, commit, { ...check, isolation: NOT_ISOLATED })
  if (outside !== null) return { ...outside, failedOutside: true }
  return { ...red, inBox: adviceFor(ws, config, { place, check, red }) }
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
  const home = env.HOME || '/nonexistent'
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
