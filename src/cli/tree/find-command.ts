import type { CliCommand } from '../command.ts'

/**
 * Where each command is defined. A call loads only the definitions of its own section, because loading all of them takes
 * longer than running a fast command.
 */
const PLACES: readonly { names: readonly string[]; load: () => Promise<readonly CliCommand[]> }[] = [
  {
    // biome-ignore format: one name a line would hide the table
    names: ['add', 'edit', 'delete', 'restore', 'move', 'undo', 'redo', 'import', 'plan', 'breakdown', 'score', 'split', 'todo', 'archive'],
    load: () => import('./plan.ts').then((section) => section.PLAN_COMMANDS),
  },
  {
    names: ['list', 'ready', 'next', 'show'],
    load: () => import('./look.ts').then((section) => section.LOOK_COMMANDS),
  },
  {
    names: ['status', 'groups', 'milestones', 'tree', 'where', 'graph', 'log', 'query'],
    load: () => import('./look-closer.ts').then((section) => section.CLOSER_LOOK_COMMANDS),
  },
  {
    names: ['done', 'note', 'ask', 'claim', 'release', 'agents', 'assign', 'context', 'guard'],
    load: () => import('./work.ts').then((section) => section.WORK_COMMANDS),
  },
  {
    names: ['work', 'run', 'retry', 'review', 'improve', 'kill', 'simulate', 'demo'],
    load: () => import('./run.ts').then((section) => section.RUN_COMMANDS),
  },
  {
    names: ['ps', 'watch', 'logs', 'inbox', 'answer', 'why', 'prompt', 'resolve', 'stats', 'summary'],
    load: () => import('./watch.ts').then((section) => section.WATCH_COMMANDS),
  },
  { names: ['merge', 'queue', 'diff'], load: () => import('./land.ts').then((section) => section.LAND_COMMANDS) },
  {
    names: ['pr', 'export', 'sync', 'linear'],
    load: () => import('./share.ts').then((section) => section.SHARE_COMMANDS),
  },
  { names: ['verify', 'doctor', 'prune'], load: () => import('./check.ts').then((section) => section.CHECK_COMMANDS) },
  {
    names: ['init', 'trust', 'config', 'notify', 'setup', 'shell-init', 'completion'],
    load: () => import('./set-up.ts').then((section) => section.SET_UP_COMMANDS),
  },
  {
    names: ['__complete', 'hook', '__link', '__demo-agent'],
    load: () => import('./hidden.ts').then((section) => section.HIDDEN_COMMANDS),
  },
]

export function findCommand(name: string): Promise<CliCommand | undefined> | undefined {
  const place = PLACES.find(({ names }) => names.includes(name))
  return place?.load().then((commands) => commands.find((command) => command.name === name))
}

export function commandNames(): string[] {
  return PLACES.flatMap(({ names }) => names)
}
