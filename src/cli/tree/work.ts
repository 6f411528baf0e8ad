import { defineCommand } from '../command.ts'
import { argument, optional, taskArgument, text, texts } from '../flags/flags.ts'

/** Commands for whoever does the work, agents included. */
export const WORK_COMMANDS = [
  defineCommand({
    name: 'done',
    section: 'Work',
    brief: 'Mark tasks as done',
    description:
      'Mark tasks as done. They are linked to the commits made for them, or else to the next commit on this branch. A parent is done with the last of its children, and not before.',
    examples: ['done task-a3f8', 'done 4 5 --note "Both fixed by the same change"'],
    flags: { note: text('TEXT', 'A note to leave with them') },
    aliases: { n: 'note' },
    positional: { kind: 'array', minimum: 1, parameter: taskArgument('The tasks') },
    loader: () => import('../commands/work/done.ts'),
  }),
  defineCommand({
    name: 'note',
    section: 'Work',
    brief: 'Append a note to a task',
    description:
      'Append a note to a task. Notes are never changed. Without TEXT it is read from standard input. Attached files are ' +
      'kept in the ledger, under artifacts/.',
    examples: [
      'note task-a3f8 "blocked: no test database"',
      'note 29 - < findings.md',
      'note 29 "the plan" --attach plan.md',
    ],
    flags: { attach: texts('FILE', 'Keep a text file with the task') },
    positional: {
      kind: 'tuple',
      parameters: [taskArgument('The task'), optional(argument('TEXT', 'The note; - reads standard input'))],
    },
    loader: () => import('../commands/work/note.ts'),
  }),
  defineCommand({
    name: 'guard',
    section: 'Work',
    brief: 'Run a command under the guard for agents',
    description: 'Run a command under the guard for agents: it cannot push, and cannot rewrite ledgers, through git.',
    examples: ['guard -- make test', 'guard -- sh -c "git push"'],
    positional: { kind: 'array', minimum: 1, parameter: argument('CMD', 'The command and its arguments, after --') },
    loader: () => import('../commands/work/guard.ts'),
  }),
]
