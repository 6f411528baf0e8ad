import { defineCommand } from '../command.ts'
import { argument, optional, taskArgument, toggle } from '../flags/flags.ts'
import { outputFlags } from '../flags/output-flags.ts'

/**
 * The commands that people and agents call all day. `list` is in look-list.ts, because its flags take as long as all of
 * these. The others that only read are in look-closer.ts.
 */
export const LOOK_COMMANDS = [
  defineCommand({
    name: 'ready',
    section: 'Look',
    brief: 'List the tasks that can start now, and what blocks the others',
    examples: ['ready', 'ready --limit 5', 'ready --json'],
    flags: () => outputFlags('task'),
    aliases: { n: 'limit' },
    loader: () => import('../commands/look/ready.ts'),
  }),
  defineCommand({
    name: 'next',
    section: 'Look',
    brief: 'List the tasks that can start now, by number and type',
    description: 'List the tasks that can be started, by number and type, and how many are blocked.',
    examples: ['next', 'next --all', 'next --limit 5'],
    flags: () => ({ all: toggle('Include blocked tasks, with what blocks them'), ...outputFlags('task') }),
    aliases: { a: 'all', n: 'limit' },
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
        taskArgument('The task: number, id, unique prefix or key', 'listed'),
        optional(argument('NAME', 'With --text: the name of a text, or a part of it')),
      ],
    },
    loader: () => import('../commands/look/show.ts'),
  }),
]
