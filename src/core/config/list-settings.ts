import type { NotifySettings } from '../notify/notice.ts'
import { TASK_TYPES } from '../task/task.ts'
import { commonKey, commonSettings, effective, TYPE_KEYS, typesThatDiffer } from './effective.ts'
import { canonicalKey } from './same-setting.ts'
import { type Config, type CustomAgent, type Origin, originOf } from './settings.ts'

/** One effective value and its origin. */
export interface Setting {
  key: string
  value: string | number | boolean | readonly string[] | null
  origin: Origin
}

/** All effective settings: the common values, and those of a type if they differ. */
export function listSettings(config: Config): Setting[] {
  return [
    ...plainSettings(config, '', topSettings(config)),
    ...TYPE_KEYS.map((key) => settingOf(commonSettings(config), key, commonKey(key))),
    ...TASK_TYPES.flatMap((type) =>
      TYPE_KEYS.filter((key) => typesThatDiffer(config, key).includes(type)).map((key) =>
        settingOf(effective(config, type), key, `task_types.${type}.${key}`),
      ),
    ),
    ...[...config.agents].flatMap(([name, agent]) => agentSettings(config, `agents.${name}.`, agent)),
    ...plainSettings(config, 'verify.', config.verify),
    ...plainSettings(config, 'worktree.', config.worktree),
    ...plainSettings(config, 'budgets.', config.budgets),
    ...plainSettings(config, 'retry.', config.retry),
    ...plainSettings(config, 'ralph.', config.ralph),
    ...plainSettings(config, 'task_size_limits.', config.task_size_limits),
    ...plainSettings(config, 'todo.', config.todo),
    ...plainSettings(config, 'views.', config.views),
    ...plainSettings(config, 'integrations.linear.', config.integrations.linear),
    ...plainSettings(config, 'notify.', shownNotify(config.notify)),
    ...plainSettings(config, 'isolation.', config.isolation),
  ]
}

function topSettings({
  ledger,
  parallel_workers,
  fallback,
  land_batch,
  land_attempts,
  delete_branches,
  scope,
  weakened,
}: Config) {
  return { ledger, parallel_workers, fallback, land_batch, land_attempts, delete_branches, scope, weakened }
}

/** The settings at a key, in a section, or with that name in any section. For a type, all settings of its tasks. */
export function findSettings(config: Config, asked: string): Setting[] {
  const key = canonicalKey(asked)
  const ofTypes = TASK_TYPES.flatMap((type) =>
    TYPE_KEYS.map((name) => settingOf(effective(config, type), name, `task_types.${type}.${name}`)),
  )
  const settings = /^task_types\.[^.]/.test(key) ? ofTypes : listSettings(config)
  return settings.filter(
    (setting) => setting.key === key || setting.key.startsWith(`${key}.`) || setting.key.endsWith(`.${key}`),
  )
}

/** Only the names of the variables: their values may be keys. */
function agentSettings(config: Config, section: string, { env, ...agent }: CustomAgent): Setting[] {
  const names = Object.keys(env)
  const origin = originOf(config, `${section}env.${names[0]}`)
  return [...plainSettings(config, section, agent), { key: `${section}env`, value: names, origin }]
}

/** The path of an address may be a key. */
function shownNotify(notify: NotifySettings): NotifySettings {
  return { ...notify, url: notify.url && `${URL.parse(notify.url)?.origin}/…` }
}

function settingOf(settings: ReturnType<typeof effective>, name: (typeof TYPE_KEYS)[number], key: string): Setting {
  return { key, value: settings[name], origin: settings.origins[name] }
}

function plainSettings(config: Config, section: string, values: object): Setting[] {
  return Object.entries(values as Record<string, Setting['value']>).map(([name, value]) => {
    const key = `${section}${name}`
    return { key, value, origin: originOf(config, key) }
  })
}
