import type { Env } from '../../../platform/git/git.ts'
import { type Entry, settingsEnvironment } from '../../guard/git-settings.ts'

/**
 * The environment of an agent in a box, made from the one that it has under the guard. The guard's hooks are not used:
 * they compare with the real repository, which is hidden. Pushes are still refused.
 */
export function boxedEnvironment(guarded: Env): Env {
  const chained = guarded.GZA_GUARD_CHAIN
  const kept = entriesOf(guarded).flatMap((entry) => {
    if (entry.key !== 'core.hookspath') return [entry]
    return chained ? [{ ...entry, value: chained }] : []
  })
  const rest = Object.entries(guarded).filter(([name]) => !OF_HOOKS.test(name) && !SETTING.test(name))
  // The box has a folder for temporary files of its own.
  const temporary = guarded.TMPDIR === undefined ? {} : { TMPDIR: '/tmp' }
  const all = { ...Object.fromEntries(rest), ...settingsEnvironment(kept), ...temporary }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const OF_HOOKS = /^GZA_(GUARD_(HOOKS|CHAIN|COUNT)|LEAN_.*|KEPT_.*|OWN_.*)$/
const SETTING = /^GIT_CONFIG_(KEY|VALUE)_\d+$/

function entriesOf(env: Env): Entry[] {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0)
  return Array.from({ length: count }, (_, at) => ({
    key: env[`GIT_CONFIG_KEY_${at}`] ?? '',
    value: env[`GIT_CONFIG_VALUE_${at}`] ?? '',
  }))
}
