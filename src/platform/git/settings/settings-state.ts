/** What makes git run something in this repository: settings of every configuration file, hooks, and attributes. */

import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
  /** Hooks and attributes, by path. */
  files: Record<string, FoundFile>
  /** The text of the repository's own configuration, in case it can no longer be read. */
  config: string
  hooks: string
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
  return {
    settings: settings.filter((setting) => setting.origin !== '' && mayExecute(setting.key)),
    files: readWatched(repo, hooks),
    config: readIfThere(configOf(repo)),
    hooks,
    isRead: settings.some(({ scope }) => scope === 'local'),
    sources: sourcesOf(repo, settings),
  }
}

/** Differs whenever what makes git run something may differ. */
export function stampOf(repo: Repo, { hooks, sources }: Pick<SettingsState, 'hooks' | 'sources'>): string {
  return statsOf([...sources, ...worktreeConfigs(repo), hooks, attributesOf(repo), ...filesIn(hooks)])
}

/** The hooks and attributes as they are now. */
export function readWatched(repo: Repo, hooks: string): Record<string, FoundFile> {
  // The folder of the hooks itself may become a link.
  const found = [hooks, attributesOf(repo), ...filesIn(hooks)].flatMap((path): [string, FoundFile][] => {
    const file = readFoundFile(path)
    return file === null ? [] : [[path, file]]
  })
  return Object.fromEntries(found)
}

export function configOf({ commonDir }: Repo): string {
  return join(commonDir, 'config')
}

export function attributesOf({ commonDir }: Repo): string {
  return join(commonDir, 'info', 'attributes')
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

/** A folder counts as nothing: git ignores it. */
export function readFoundFile(path: string): FoundFile | null {
  try {
    const stat = lstatSync(path)
    if (stat.isDirectory()) return null
    const isLink = stat.isSymbolicLink()
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
