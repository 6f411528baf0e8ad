import { TASK_TYPES } from '../../core/task/task.ts'
import { defineCommand } from '../command.ts'
import { argument, choice, count, optional, taskArgument, text, toggle } from '../flags/flags.ts'

const STATUSES = ['open', 'pending', 'blocked', 'in_progress', 'done', 'failed', 'skipped']

/** The commands that people and agents call all day. The others that only read are in look-closer.ts. */
export const LOOK_COMMANDS = [
  defineCommand({
    name: 'list',
    section: 'Look',
    brief: 'List tasks',
    description: 'List the open tasks of the current branch.',
    examples: ['list', 'list --all', 'list --status done', 'list --group tarantino-v2 --type implement', 'list --json'],
    flags: {
      status: choice('STATUS', STATUSES, 'Only tasks with this status'),
      all: toggle('Include finished tasks'),
      'all-branches': toggle('Read the ledgers of all branches'),
      group: text('NAME', 'Only tasks of this group'),
      type: choice('TYPE', TASK_TYPES, 'Only tasks of this type'),
      limit: count('N', 'List at most N tasks'),
    },
    aliases: { t: 'type', a: 'all', n: 'limit' },
    loader: () => import('../commands/look/list.ts'),
  }),
  defineCommand({
    name: 'ready',
    section: 'Look',
    brief: 'List the tasks that can start now, and what blocks the others',
    examples: ['ready', 'ready --json'],
    loader: () => import('../commands/look/ready.ts'),
  }),
  defineCommand({
    name: 'next',
    section: 'Look',
    brief: 'List pending tasks by number and type',
    description: 'List the tasks that can be started, by number and type, and how many are blocked.',
    examples: ['next', 'next --all'],
    flags: { all: toggle('Include blocked tasks, with what blocks them') },
    aliases: { a: 'all' },
    loader: () => import('../commands/look/next.ts'),
  }),
  defineCommand({
    name: 'show',
    section: 'Look',
    brief: 'Show one task',
    description:
      'Show one task. With --text, print the newest text that it made (plan, exploration, review), as the ledger has it; ' +
      'NAME is another of its texts.',
    examples: ['show task-a3f8', 'show 29', 'show 29 --json', 'show 29 --text', 'show 29 --text review-1'],
    flags: { text: toggle('Print a text of the task instead: the newest one, or NAME') },
    positional: {
      kind: 'tuple',
      parameters: [
        taskArgument('The task: number, id, unique prefix or key'),
        optional(argument('NAME', 'With --text: the name of a text, or a part of it')),
      ],
    },
    loader: () => import('../commands/look/show.ts'),
  }),
]
