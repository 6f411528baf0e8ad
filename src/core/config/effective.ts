import { TASK_TYPES, type TaskType } from '../task/task.ts'
import { BUILT_IN } from './built-in.ts'
import { type Config, type Defaults, type Origin, originOf, type TypeKey, type TypeSettings } from './settings.ts'

export const TYPE_KEYS: readonly TypeKey[] = [...(Object.keys(BUILT_IN.defaults) as (keyof Defaults)[]), 'land']

/** The settings for a task of this type: the type's own value, otherwise the common one, otherwise the built-in one. */
export function effective(config: Config, type: TaskType): TypeSettings {
  return settle(config, config.task_types[type] ?? {}, `task_types.${type}`)
}

/**
 * The same if another agent was called than the configured one: it does the work and, unless another is named, the
 * review.
 */
export function effectiveFor(config: Config, type: TaskType, called: Called): TypeSettings {
  const { agent, model } = called
  const over = { agent, ...(model !== undefined && { model }) }
  return settle(config, config.task_types[type] ?? {}, `task_types.${type}`, over)
}

interface Called {
  agent: string
  /** Null: the client chooses. */
  model?: string | null | undefined
}

/** The settings of a type that sets nothing itself. */
export function commonSettings(config: Config): TypeSettings {
  return settle(config, {}, '')
}

/** The types that set this key themselves or have another value than the common one. */
export function typesThatDiffer(config: Config, key: TypeKey): TaskType[] {
  const common = commonSettings(config)[key]
  return TASK_TYPES.filter((type) => {
    return config.task_types[type]?.[key] !== undefined || effective(config, type)[key] !== common
  })
}

/** The types whose finished work lands without a person. */
export function automaticTypes(config: Config): TaskType[] {
  return TASK_TYPES.filter((type) => effective(config, type).land !== 'branch')
}

/** The key of a setting for all types. Landing is not below `defaults`, it has its own key. */
export function commonKey(key: TypeKey): string {
  return key === 'land' ? 'land' : `defaults.${key}`
}

type Own = NonNullable<Config['task_types'][TaskType]>

function settle(config: Config, own: Own, section: string, over: Partial<Defaults> = {}): TypeSettings {
  const values = { ...config.defaults, land: config.land, ...own, ...over }
  const origins = Object.fromEntries(
    TYPE_KEYS.map((key) => [key, originOf(config, own[key] === undefined ? commonKey(key) : `${section}.${key}`)]),
  ) as Record<TypeKey, Origin>
  return { ...values, ...settleReviewer(values, origins) }
}

/** A reviewer inherits the model only together with the agent: the model of one client means nothing to another. */
function settleReviewer(values: Defaults, origins: Record<TypeKey, Origin>) {
  const review_agent = values.review_agent ?? values.agent
  const inheritsModel = values.review_model === null && review_agent === values.agent && values.model !== null
  return {
    review_agent,
    review_model: inheritsModel ? values.model : values.review_model,
    origins: {
      ...origins,
      ...(values.review_agent === null && { review_agent: origins.agent }),
      ...(inheritsModel && { review_model: origins.model }),
    },
  }
}
