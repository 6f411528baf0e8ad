import type { CliCommand } from '../command.ts'

/**
 * Where each command is defined. A call loads only the definitions of its own section, because loading all of them takes
 * longer than running a fast command.
 */
const PLACES: readonly { names: readonly string[]; load: () => Promise<readonly CliCommand[]> }[] = [
  {
    // biome-ignore format: one name a line would hide the table
    names: ['add', 'edit', 'delete', 'restore', 'move', 'undo', 'redo', 'import', 'plan', 'breakdown', 'score', 'split', 'todo', 'archive'],
    load: async () => (await import('./plan.ts')).PLAN_COMMANDS,
  },
  {
    names: ['list', 'ready', 'next', 'show'],
    load: async () => (await import('./look.ts')).LOOK_COMMANDS,
  },
  {
    names: ['status', 'groups', 'milestones', 'tree', 'where', 'graph', 'log', 'query'],
    load: async () => (await import('./look-closer.ts')).CLOSER_LOOK_COMMANDS,
  },
  {
    names: ['done', 'note', 'ask', 'claim', 'release', 'agents', 'assign', 'context', 'guard'],
    load: async () => (await import('./work.ts')).WORK_COMMANDS,
  },
  {
    names: ['work', 'run', 'retry', 'review', 'improve', 'kill', 'simulate', 'demo'],
    load: async () => (await import('./run.ts')).RUN_COMMANDS,
  },
  {
    names: ['ps', 'watch', 'logs', 'inbox', 'answer', 'why', 'prompt', 'resolve', 'stats', 'summary'],
    load: async () => (await import('./watch.ts')).WATCH_COMMANDS,
  },
  { names: ['merge', 'queue', 'diff'], load: async () => (await import('./land.ts')).LAND_COMMANDS },
  { names: ['pr', 'export', 'sync', 'linear'], load: async () => (await import('./share.ts')).SHARE_COMMANDS },
  { names: ['verify', 'doctor', 'prune'], load: async () => (await import('./check.ts')).CHECK_COMMANDS },
  {
    names: ['init', 'trust', 'config', 'notify', 'setup', 'shell-init', 'completion'],
    load: async () => (await import('./set-up.ts')).SET_UP_COMMANDS,
  },
  {
    names: ['__complete', 'hook', '__link', '__demo-agent'],
    load: async () => (await import('./hidden.ts')).HIDDEN_COMMANDS,
  },
]

export async function findCommand(name: string): Promise<CliCommand | undefined> {
  const commands = await PLACES.find(({ names }) => names.includes(name))?.load()
  return commands?.find((command) => command.name === name)
}

export function commandNames(): string[] {
  return PLACES.flatMap(({ names }) => names)
}
