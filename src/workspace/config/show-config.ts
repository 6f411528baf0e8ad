import { KNOWN_KEYS } from '../../core/config/known-keys.ts'
import { layerOf } from '../../core/config/layer-of.ts'
import { findSettings, listSettings, type Setting } from '../../core/config/list-settings.ts'
import { nearestKey } from '../../core/config/nearest-key.ts'
import type { Config, ConfigLayer } from '../../core/config/settings.ts'
import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { findRepo } from '../../platform/git/find-repo.ts'
import type { WorkspaceOptions } from '../workspace.ts'
import { loadConfiguration } from './configuration.ts'

/** The effective settings, or the requested part of them. Needs no ledger: it may help to choose one. */
export async function showConfig(options: WorkspaceOptions, key?: string): Promise<Setting[]> {
  const repo = findRepo(options.cwd, options.env)
  const config = await loadConfiguration({ repo, env: options.env }, chosenLedger(options))
  if (key === undefined) return listSettings(config)
  const found = findSettings(config, key)
  if (found.length === 0 && !isSection(key)) throw unknownKey(key, config)
  return found
}

/** The only setting that a variable or a flag of every command overrides. */
function chosenLedger({ env, branch }: WorkspaceOptions): ConfigLayer[] {
  if (branch !== undefined) {
    return [layerOf([{ key: 'ledger', value: branch, origin: { kind: 'command-line', name: '--branch' } }])]
  }
  if (!env.GZA_BRANCH) return []
  return [layerOf([{ key: 'ledger', value: env.GZA_BRANCH, origin: { kind: 'environment', name: 'GZA_BRANCH' } }])]
}

/** A section may be known but empty, like `agents` without any agent. */
function isSection(key: string): boolean {
  return KNOWN_KEYS.some((known) => known.startsWith(`${key}.`))
}

function unknownKey(key: string, config: Config): UserError {
  const known = [...listSettings(config).map((setting) => setting.key), ...KNOWN_KEYS]
  const nearest = nearestKey(key, known)
  return new UserError('UNKNOWN_KEY', `There is no setting ${key}`, {
    hint:
      nearest === null
        ? sentence`${command`config`} lists all settings.`
        : sentence`Did you mean ${command`config ${nearest}`}?`,
    exitCode: 2,
  })
}
