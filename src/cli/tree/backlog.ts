import { defineCommand } from '../command.ts'
import {
  argument,
  count,
  natural,
  optional,
  taskArgument,
  taskFlag,
  text,
  toggle,
  wordArgument,
} from '../flags/flags.ts'

const plan = text('FILE', 'Only what comes from this plan')

const CLIENTS = ['claude', 'codex', 'opencode', 'gemini', 'copilot']
const clientArgument = {
  parse: String,
  placeholder: 'CLIENT',
  brief: `One of ${CLIENTS.join(', ')}`,
  proposeCompletions: () => CLIENTS,
} as const

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
    loader: () => import('../commands/look/tree.ts'),
  }),
  defineCommand({
    name: 'where',
    section: 'Look',
    brief: 'Say where the work stands: the first unfinished task that has no parts',
    examples: ['where', 'where --plan docs/plans/2025-12-24-auth.md', 'where --json'],
    flags: { plan },
    loader: () => import('../commands/look/where.ts'),
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
      plan,
      task: taskFlag('This task counts as the current one'),
      'max-tokens': count('N', 'At most so many tokens (2000)'),
      hook: toggle("As the JSON that clients take from a session's first hook"),
    },
    loader: () => import('../commands/work/context.ts'),
  }),
  defineCommand({
    name: 'todo',
    section: 'Plan',
    brief: 'List the items of TODO.md, take one up, or tick it',
    description:
      'List the checklist items of TODO.md, numbered from its top. `todo start N` files the item as a task with the steps of ' +
      'the work as its parts (todo.flow in gza.yaml). `todo done N` ticks its box and touches nothing else in the file. An ' +
      'item that was reworded is known by its place; where that is not sure it is said, and `todo link N ID` tells.',
    examples: ['todo', 'todo --all', 'todo start 3 --plan docs/plans/auth.md', 'todo done 3', 'todo link 3 12'],
    flags: {
      file: text('FILE', 'Instead of TODO.md at the top of the work tree'),
      all: toggle('Ticked items too'),
      plan: text('FILE', 'With start: the plan it will come from'),
      project: text('NAME', 'With start: the project it belongs to'),
      new: toggle('With start: though the item is, or may be, a task already'),
    },
    aliases: { a: 'all' },
    positional: {
      kind: 'tuple',
      parameters: [
        optional(wordArgument('ACTION', ['start', 'done', 'link'], 'start, done or link')),
        optional(argument('N', 'The number of the item')),
        optional(taskArgument('With link: the task')),
      ],
    },
    loader: () => import('../commands/plan/todo.ts'),
  }),
  defineCommand({
    name: 'setup',
    section: 'Set up',
    brief: 'Let the sessions of a client begin with gza context (people only)',
    description:
      'Let every session of a client in this repository begin with gza context: as its own hook (claude, gemini), or as a ' +
      'block in the file of instructions it reads (codex and opencode: AGENTS.md, copilot: .github/copilot-instructions.md). ' +
      'The change is shown first, and made once you agree. Nothing else in the file is touched, and --remove takes it out.',
    examples: ['setup claude', 'setup codex --yes', 'setup gemini --remove'],
    flags: {
      remove: toggle('Take it out again'),
      yes: toggle('Make the change without asking'),
    },
    aliases: { y: 'yes' },
    positional: { kind: 'tuple', parameters: [clientArgument] },
    loader: () => import('../commands/set-up/setup.ts'),
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
    loader: () => import('../commands/plan/archive.ts'),
  }),
]
