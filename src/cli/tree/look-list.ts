import { TASK_TYPES } from '../../core/task/task.ts'
import { defineCommand } from '../command.ts'
import { choice, count, text, toggle } from '../flags/flags.ts'

const STATUSES = ['open', 'pending', 'blocked', 'in_progress', 'done', 'failed', 'skipped']

export const LIST_COMMANDS = [
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
]
