import { BUILT_IN } from './built-in.ts'
import type { Config, ConfigLayer, ConfigValues, CustomAgent, Origin } from './settings.ts'

/** One configuration from many sources, the weakest first. They are merged key by key. */
export function mergeLayers(layers: readonly ConfigLayer[]): Config {
  return layers.reduce(overlay, BUILT_IN)
}

function overlay(config: Config, layer: ConfigLayer): Config {
  const values = layer.values
  return {
    ledger: values.ledger ?? config.ledger,
    land: values.land ?? config.land,
    land_batch: values.land_batch ?? config.land_batch,
    land_attempts: values.land_attempts ?? config.land_attempts,
    delete_branches: values.delete_branches ?? config.delete_branches,
    scope: values.scope ?? config.scope,
    weakened: values.weakened ?? config.weakened,
    parallel_workers: values.parallel_workers ?? config.parallel_workers,
    fallback: values.fallback ?? config.fallback,
    defaults: { ...config.defaults, ...values.defaults },
    task_types: overlayTypes(config.task_types, values.task_types ?? {}),
    agents: overlayAgents(config.agents, values.agents ?? {}),
    verify: {
      ...config.verify,
      ...values.verify,
      network: config.verify.network === 'off' ? 'off' : (values.verify?.network ?? 'on'),
    },
    worktree: { ...config.worktree, ...values.worktree },
    budgets: { ...config.budgets, ...values.budgets },
    retry: { ...config.retry, ...values.retry },
    ralph: { ...config.ralph, ...values.ralph },
    task_size_limits: { ...config.task_size_limits, ...values.task_size_limits },
    todo: { ...config.todo, ...values.todo },
    views: { ...config.views, ...values.views },
    integrations: { linear: { ...config.integrations.linear, ...values.integrations?.linear } },
    notify: { ...config.notify, ...values.notify },
    isolation: { ...config.isolation, ...values.isolation },
    origins: overlayOrigins(config, layer),
  }
}

function overlayTypes(weaker: Config['task_types'], stronger: Config['task_types']): Config['task_types'] {
  const types = Object.keys({ ...weaker, ...stronger }) as (keyof Config['task_types'])[]
  return Object.fromEntries(types.map((type) => [type, { ...weaker[type], ...stronger[type] }]))
}

/**
 * An agent comes from one file: mixing would run the command of one file with the variables, maybe keys, of another.
 */
function overlayAgents(weaker: Config['agents'], values: NonNullable<ConfigValues['agents']>): Config['agents'] {
  const named = Object.entries(values).map(([name, agent]): [string, CustomAgent] => [
    name,
    { command: agent.command, stdin: agent.stdin ?? false, env: agent.env ?? {} },
  ])
  return new Map([...weaker, ...named])
}

function overlayOrigins(config: Config, layer: ConfigLayer): ReadonlyMap<string, Origin> {
  const replaced = Object.keys(layer.values.agents ?? {}).map((name) => `agents.${name}.`)
  const kept = [...config.origins].filter(([key]) => !replaced.some((start) => key.startsWith(start)))
  const isStillOff = config.verify.network === 'off'
  return new Map([...kept, ...[...layer.origins].filter(([key]) => !(isStillOff && key === 'verify.network'))])
}
