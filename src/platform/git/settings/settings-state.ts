/**
 * What makes git run something in this repository, or read other objects and settings than are in it: settings of every
 * configuration file, hooks, attributes, and a few files of git's own folder.
 */

import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { userConfigFolder } from '../../files/user-folders.ts'
import type { Repo } from '../find-repo.ts'
import { mayExecute } from './executing-keys.ts'
import { type FoundSetting, listSettings, sourcesOf, statsOf, worktreeConfigs } from './list-settings.ts'

export interface FoundFile {
  mode: number
  /** Base64; for a link its target. */
  content: string
  isLink: boolean
}

export interface SettingsState {
  /** Those that may execute something, in the order in which git reads them. */
  settings: FoundSetting[]
  /** Hooks, attributes and the like, by path. */
  files: Record<string, FoundFile>
  /** The text of the repository's own configuration, in case it can no longer be read. */
  config: string
  hooks: string
  /** The person's own attributes. Not in what an older gza has held. */
  attributes?: string
  /** False: git takes nothing from the repository's own configuration. It is empty, gone, or of an unknown version. */
  isRead: boolean
  /** The configuration files that were read. */
  sources: string[]
}

/** Null if git cannot read its configuration. */
export function readSettingsState(repo: Repo): SettingsState | null {
  const settings = listSettings(repo)
  if (settings === null) return null
  const hooks = hooksFolder(repo, settings)
  const attributes = personsAttributes(repo, settings)
  return {
    settings: settings.filter((setting) => setting.origin !== '' && mayExecute(setting.key)),
    files: readWatched(repo, { hooks, attributes }),
    config: readIfThere(configOf(repo)),
    hooks,
    attributes,
    isRead: settings.some(({ scope }) => scope === 'local'),
    sources: sourcesOf(repo, settings),
  }
}

type Watched = Pick<SettingsState, 'hooks' | 'attributes'>

/** Differs whenever what makes git run something may differ. */
export function stampOf(repo: Repo, { sources, ...watched }: Watched & Pick<SettingsState, 'sources'>): string {
  return statsOf([...sources, ...worktreeConfigs(repo), ...pathsOf(repo, watched)])
}

/** The hooks, the attributes and the other files as they are now. */
export function readWatched(repo: Repo, watched: Watched): Record<string, FoundFile> {
  const found = pathsOf(repo, watched).flatMap((path): [string, FoundFile][] => {
    const file = readFoundFile(path)
    return file === null ? [] : [[path, file]]
  })
  return Object.fromEntries(found)
}

/** The folder of the hooks itself may become a link. */
function pathsOf(repo: Repo, { hooks, attributes }: Watched): string[] {
  const own = [attributesOf(repo), shallowOf(repo), ...LEADING_ELSEWHERE.map((name) => join(repo.commonDir, name))]
  // The hooks of husky run the scripts in the folder above.
  const scripts = basename(hooks) === '_' ? filesIn(dirname(hooks)) : []
  return [hooks, ...own, ...(attributes === undefined ? [] : [attributes]), ...filesIn(hooks), ...scripts]
}

/** Files with which git reads objects of other repositories, other parents of commits, or another repository at all. */
const LEADING_ELSEWHERE = ['info/grafts', 'objects/info/alternates', 'objects/info/http-alternates', 'commondir']

export function configOf({ commonDir }: Repo): string {
  return join(commonDir, 'config')
}

export function attributesOf({ commonDir }: Repo): string {
  return join(commonDir, 'info', 'attributes')
}

/** Commits at which history ends for git. */
export function shallowOf({ commonDir }: Repo): string {
  return join(commonDir, 'shallow')
}

function personsAttributes({ dir, env }: Repo, settings: readonly FoundSetting[]): string {
  const set = settings.findLast(({ origin, key }) => origin !== '' && key === 'core.attributesfile')?.value
  if (!set) return join(userConfigFolder(env), '../git/attributes')
  return resolve(dir, set.replace(/^~(?=\/)/, env.HOME ?? '~'))
}

function hooksFolder({ commonDir, dir }: Repo, settings: readonly FoundSetting[]): string {
  const set = settings.findLast(({ origin, key }) => origin !== '' && key === 'core.hookspath')?.value
  return set ? resolve(dir, set) : join(commonDir, 'hooks')
}

function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => !name.endsWith('.sample'))
    return names.sort().map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** Folders, pipes and sockets count as nothing: git runs none of them, and a pipe is never read to its end. */
export function readFoundFile(path: string): FoundFile | null {
  try {
    const stat = lstatSync(path)
    const isLink = stat.isSymbolicLink()
    if (!isLink && !stat.isFile()) return null
    const content = isLink ? readlinkSync(path) : readFileSync(path).toString('base64')
    return { mode: stat.mode & 0o7777, content, isLink }
  } catch {
    return null
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
