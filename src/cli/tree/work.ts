import { defineCommand } from '../command.ts'
import {
  argument,
  count,
  minutes,
  optional,
  taskArgument,
  taskFlag,
  text,
  texts,
  toggle,
  wordArgument,
} from '../flags/flags.ts'

/** Commands for the people and agents who do the work. */
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
    name: 'claim',
    section: 'Work',
    brief: 'Take a task for an agent that gza did not start',
    description:
      'Take a task, or with --next the first that is ready, so that nobody else does. Prints the run; with it in GZA_RUN ' +
      'the holder closes the task with done, or gives it back with release. The claim ends by itself.',
    examples: ['claim --next', 'claim 3 --minutes 30'],
    flags: {
      next: toggle('The next task that is ready'),
      minutes: minutes('How long it is kept (60)'),
      'take-over': toggle('Take it from whoever has it'),
    },
    positional: { kind: 'tuple', parameters: [optional(taskArgument('The task'))] },
    loader: () => import('../commands/work/claim.ts'),
  }),
  defineCommand({
    name: 'release',
    section: 'Work',
    brief: 'Give a claimed task back',
    description:
      'Give a claimed task back, or with --renew keep it for longer. An agent says that it is the holder with the run that ' +
      'claim printed, in GZA_RUN or as --run; a person may give back any.',
    examples: ['release 3', 'release 3 --run claim-6d6f74a56a1d', 'release 3 --renew 30'],
    flags: {
      run: text('RUN', 'The run that claim printed'),
      renew: minutes('Keep it for so many more minutes instead'),
    },
    positional: { kind: 'tuple', parameters: [taskArgument('The task')] },
    loader: () => import('../commands/work/release.ts'),
  }),
  defineCommand({
    name: 'agents',
    section: 'Work',
    brief: 'List who works here, on what, and when they were last heard of',
    description:
      'List the agents that were registered here or that have tasks: idle, busy, blocked or failed, with the task that tells ' +
      'it. `agents add NAME` registers one, with --client the client that gza starts for it; `agents remove NAME` forgets it.',
    examples: ['agents', 'agents add backend --client claude', 'agents remove backend', 'agents --json'],
    flags: { client: text('CLIENT', 'With add: the client that gza starts for it') },
    positional: {
      kind: 'tuple',
      parameters: [
        optional(wordArgument('ACTION', ['add', 'remove'], 'add or remove')),
        optional(argument('NAME', 'The agent')),
      ],
    },
    loader: () => import('../commands/work/agents.ts'),
  }),
  defineCommand({
    name: 'assign',
    section: 'Work',
    brief: 'Give a task to an agent',
    description:
      'Give a task to an agent: one that is registered, a client, or an agent of gza.yaml. Whoever had claimed it has it no ' +
      'longer, and stays in its history; what gza itself is running must be ended first (gza kill). With --none nobody has it.',
    examples: ['assign 12 backend', 'assign T2-a codex', 'assign 12 --none'],
    flags: { none: toggle('Take it from whoever has it') },
    positional: {
      kind: 'tuple',
      parameters: [taskArgument('The task'), optional(argument('AGENT', 'Who is to do it'))],
    },
    loader: () => import('../commands/work/assign.ts'),
  }),
  defineCommand({
    name: 'context',
    section: 'Work',
    brief: 'Print what an agent should know of the tasks around its own',
    description:
      'Print the tasks around the work as markdown for an agent: boxes, who has each, how it is, and where the work stands. ' +
      'Titles only, and at most so many tokens (about four characters each); what is left out is said. Every run of gza ' +
      'has it in its prompt, and gza setup gives it to the sessions of your clients.',
    examples: ['context', 'context --plan docs/plans/2025-12-24-auth.md', 'context --task 12 --max-tokens 500'],
    flags: {
      plan: text('FILE', 'Only what comes from this plan'),
      task: taskFlag('This task counts as the current one'),
      'max-tokens': count('N', 'At most so many tokens (2000)'),
      hook: toggle("As the JSON that clients take from a session's first hook"),
    },
    loader: () => import('../commands/work/context.ts'),
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
