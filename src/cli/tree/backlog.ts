import { defineCommand } from '../command.ts'
import { natural, optional, taskArgument, text, toggle } from '../flags.ts'

const plan = text('FILE', 'Only what comes from this plan')

/** Commands around the backlog: the tree of tasks, who does them, what agents are told of them, and what is over. */
export const BACKLOG_COMMANDS = [
  defineCommand({
    name: 'tree',
    section: 'Look',
    brief: 'Show tasks with their parts, and where the work stands',
    description:
      'Show the tasks that have something left to do, each with its parts, and mark where the work stands: the first ' +
      'unfinished task that has no parts.',
    examples: ['tree', 'tree 12', 'tree --plan docs/plans/2025-12-24-auth.md', 'tree --numbers', 'tree --json'],
    flags: {
      plan,
      all: toggle('What is finished or archived too'),
      numbers: toggle('The number of each task in front of it'),
    },
    aliases: { a: 'all', n: 'numbers' },
    positional: { kind: 'tuple', parameters: [optional(taskArgument('Only this task and its parts'))] },
    loader: () => import('../commands/tree.ts'),
  }),
  defineCommand({
    name: 'where',
    section: 'Look',
    brief: 'Say where the work stands: the first unfinished task that has no parts',
    examples: ['where', 'where --plan docs/plans/2025-12-24-auth.md', 'where --json'],
    flags: { plan },
    loader: () => import('../commands/where.ts'),
  }),
  defineCommand({
    name: 'archive',
    section: 'Plan',
    brief: 'Take finished tasks out of the lists; they can come back (people only)',
    description:
      'Take finished tasks out of the lists: those named, with their parts, or all that were finished so many days ago. ' +
      'The ledger keeps them, what depends on them goes on, list --all shows them, and --restore brings them back. ' +
      'Parts of a task that is not finished stay. Agents may not archive.',
    examples: ['archive 12 13', 'archive --older-than 30', 'archive --older-than 30 --dry-run', 'archive --restore 12'],
    flags: {
      'older-than': natural('DAYS', 'All that were finished so many days ago or earlier'),
      restore: toggle('Bring the named ones back, or all'),
      'dry-run': toggle('Say what would be archived, and archive nothing'),
    },
    positional: { kind: 'array', parameter: taskArgument('The tasks') },
    loader: () => import('../commands/archive.ts'),
  }),
]
