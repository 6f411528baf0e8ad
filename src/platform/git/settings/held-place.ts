/**
 * A record of what is held names files by their paths, and a repository may be copied or moved while it is held. In a copy
 * the record is about the original. In a moved repository, or in one that is mounted elsewhere, its paths are others now.
 */
import { basename, dirname } from 'node:path'
import { inodeAt } from '../../files/quick-stat.ts'
import type { Repo } from '../find-repo.ts'
import type { SettingsState } from './settings-state.ts'

/** The git folder of a repository. A copy has another inode, as in clone-id.ts. */
export interface HeldPlace {
  path: string
  inode: string
}

export function placeOfHeld({ commonDir }: Repo): HeldPlace {
  return { path: commonDir, inode: inodeAt(commonDir) }
}

/** The state with the paths of today; null: it is another repository's. */
export function stateHere(repo: Repo, { place, state }: Placed): SettingsState | null {
  const here = placeOfHeld(repo)
  if (place === undefined) return state
  if (place.inode !== here.inode) return null
  return place.path === here.path ? state : moved(state, rootOf(place.path), rootOf(here.path))
}

interface Placed {
  /** Not in what an older gza has held. */
  place?: HeldPlace
  state: SettingsState
}

/** The hooks may be in the working tree, which moves along if it is around the git folder. */
function rootOf(commonDir: string): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : commonDir
}

function moved(state: SettingsState, from: string, to: string): SettingsState {
  const here = (path: string) => (path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path)
  return {
    ...state,
    settings: state.settings.map((setting) => ({ ...setting, origin: here(setting.origin) })),
    files: Object.fromEntries(Object.entries(state.files).map(([path, file]) => [here(path), file])),
    hooks: here(state.hooks),
    ...(state.attributes !== undefined && { attributes: here(state.attributes) }),
    sources: state.sources.map(here),
  }
}
