import { join } from 'node:path'
import { mergeLayers } from '../../core/config/merge-layers.ts'
import type { Config, ConfigLayer } from '../../core/config/settings.ts'
import { UserError } from '../../core/user-error.ts'
import { readTextIfThere } from '../../platform/files/files.ts'
import { userConfigFolder } from '../../platform/files/user-folders.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { chooseWorkplaceRoot } from '../../platform/git/workplace-root.ts'
import { CONFIG_FILE } from './configured-ledger.ts'
import type { ConfigFile } from './read-config-file.ts'

const SHARED_FILE = '.project-config.json'

/**
 * The effective configuration of this checkout: built in, the person's own file, `.project-config.json`, `gza.yaml`,
 * then the caller's values. The readers are loaded only if there is a file to read.
 */
export async function loadConfiguration(
  place: { repo: Repo; env: Env },
  above: readonly ConfigLayer[] = [],
): Promise<Config> {
  const config = await mergeFiles(configFiles(place), above)
  chooseWorkplaceRoot(place.repo, config.worktree.root)
  return config
}

async function mergeFiles(files: readonly ConfigFile[], above: readonly ConfigLayer[]): Promise<Config> {
  if (files.length === 0) return mergeLayers(above)
  const { readConfigFile } = await import('./read-config-file.ts')
  return mergeLayers([...files.map(readConfigFile), ...above])
}

/** The configuration without the files of the project: what the person alone decides. */
export function ownConfiguration({ repo, env }: { repo: Repo; env: Env }): Promise<Config> {
  return mergeFiles(configFiles({ repo: { ...repo, workTree: null }, env }), [])
}

/** The saved filters of the person and of this checkout, by name. They start nothing, so they need no trust. */
export async function configuredViews(place: { repo: Repo; env: Env }): Promise<Config['views']> {
  return (await mergeFiles(configFiles(place), [])).views
}

/** The person's own file, which may not exist. */
export function ownConfigFile(env: Env): string {
  return join(userConfigFolder(env), 'config.yaml')
}

/** The existing files, weakest first. */
function configFiles({ repo, env }: { repo: Repo; env: Env }): ConfigFile[] {
  const own = ownConfigFile(env)
  const files = [{ kind: 'user', file: own, path: own }] as { kind: ConfigFile['kind']; file: string; path: string }[]
  if (repo.workTree !== null) {
    files.push({ kind: 'shared', file: SHARED_FILE, path: join(repo.workTree, SHARED_FILE) })
    files.push({ kind: 'project', file: CONFIG_FILE, path: join(repo.workTree, CONFIG_FILE) })
  }
  return files.flatMap(({ kind, file, path }) => {
    const text = readConfigText(path)
    return text === null ? [] : [{ kind, file, text }]
  })
}

export function readConfigText(path: string): string | null {
  try {
    return readTextIfThere(path)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError('CONFIG_UNREADABLE', `${path} cannot be read: ${(error as Error).message}`, {
      hint: 'It must be a file that you can read.',
    })
  }
}
