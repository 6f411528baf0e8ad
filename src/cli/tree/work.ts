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
      'Mark tasks as done. They are linked to the commits made for them or, without any, to the next commit on this branch. ' +
      'A parent task is done when the last of its children is done.',
    examples: ['done task-a3f8', 'done 4 5 --note "Both fixed by the same change"'],
    flags: { note: text('TEXT', 'Append this note to them') },
    aliases: { n: 'note' },
    positional: { kind: 'array', minimum: 1, parameter: taskArgument('The tasks', 'open') },
    loader: () => import('../commands/work/done.ts'),
  }),
  defineCommand({
    name: 'note',
    section: 'Work',
    brief: 'Append a note to a task',
    description:
      'Append a note to a task. Notes are never changed. Without TEXT, the note is read from standard input. Attached ' +
      'files are stored in the ledger, under artifacts/.',
    examples: [
      'note task-a3f8 "blocked: no test database"',
      'note 29 - < findings.md',
      'note 29 "the plan" --attach plan.md',
    ],
    flags: { attach: texts('FILE', 'Store a text file with the task') },
    positional: {
      kind: 'tuple',
      parameters: [taskArgument('The task', 'open'), optional(argument('TEXT', 'The note; - reads standard input'))],
    },
    loader: () => import('../commands/work/note.ts'),
  }),
  defineCommand({
    name: 'ask',
    section: 'Work',
    brief: 'Ask a person about the task you work on (agents only)',
    description:
      'Ask a person about the task of your run or claim. The task waits for the answer and uses up no attempt; what you ' +
      'have done so far is kept. You are not interrupted: end when you cannot continue. If you then report the task as ' +
      'done, the question is withdrawn. A note that begins with "blocked:" is a question too.',
    examples: ['ask task-a3f8 "Which of the two databases should it use?"'],
    positional: {
      kind: 'tuple',
      parameters: [
        taskArgument('The task', 'open'),
        optional(argument('TEXT', 'The question; - reads standard input')),
      ],
    },
    loader: () => import('../commands/work/ask.ts'),
  }),
  defineCommand({
    name: 'claim',
    section: 'Work',
    brief: 'Claim a task for an agent that gza did not start',
    description:
      'Claim a task, or with --next the first one that is ready, so that no other agent takes it. Prints the id of the ' +
      'run. With this id in GZA_RUN, the holder closes the task with done or gives it back with release. The claim ' +
      'expires by itself. An agent that gza started has its task, and cannot claim another one.',
    examples: ['claim --next', 'claim 3 --minutes 30'],
    flags: {
      next: toggle('Claim the next task that is ready'),
      minutes: minutes('How long the claim is valid (60)'),
      'take-over': toggle('Take it from its current holder (people only)'),
    },
    positional: { kind: 'tuple', parameters: [optional(taskArgument('The task', 'ready'))] },
    loader: () => import('../commands/work/claim.ts'),
  }),
  defineCommand({
    name: 'release',
    section: 'Work',
    brief: 'Give a claimed task back',
    description:
      'Give a claimed task back, or with --renew keep it longer. An agent proves that it is the holder with the run id that ' +
      'claim printed, in GZA_RUN or with --run. A person may give back any task.',
    examples: ['release 3', 'release 3 --run claim-6d6f74a56a1d', 'release 3 --renew 30'],
    flags: {
      run: text('RUN', 'The run id that claim printed'),
      renew: minutes('Keep it for MINUTES more minutes instead'),
    },
    positional: { kind: 'tuple', parameters: [taskArgument('The task', 'claimed')] },
    loader: () => import('../commands/work/release.ts'),
  }),
  defineCommand({
    name: 'agents',
    section: 'Work',
    brief: 'List the agents, what they work on, and when they were last active',
    description:
      'List the agents that are registered here or that have tasks. Each is idle, busy, blocked or failed, shown with the ' +
      'task that this is based on. `agents add NAME` registers an agent; --client names the client that gza starts for it. ' +
      '`agents remove NAME` removes it. An agent at its usage limit is paused until the reset; `agents resume NAME` lifts ' +
      'the pause (people only).',
    examples: [
      ...['agents', 'agents add backend --client claude', 'agents remove backend', 'agents resume claude'],
      'agents --json',
    ],
    flags: { client: text('CLIENT', 'With add: the client that gza starts for it') },
    positional: {
      kind: 'tuple',
      parameters: [
        optional(wordArgument('ACTION', ['add', 'remove', 'resume'], 'add, remove or resume')),
        optional(argument('NAME', 'The agent')),
      ],
    },
    loader: () => import('../commands/work/agents.ts'),
  }),
  defineCommand({
    name: 'assign',
    section: 'Work',
    brief: 'Assign a task to an agent',
    description:
      'Assign a task to an agent: a registered agent, a client, or an agent of gza.yaml. An earlier claim on the task ends ' +
      'and stays in its history. If gza itself is running the task, end the run first (gza kill). With --none, the task is ' +
      'assigned to nobody.',
    examples: ['assign 12 backend', 'assign T2-a codex', 'assign 12 --none'],
    flags: { none: toggle('Remove the assignment') },
    positional: {
      kind: 'tuple',
      parameters: [taskArgument('The task', 'open'), optional(argument('AGENT', 'The agent that should do it'))],
    },
    loader: () => import('../commands/work/assign.ts'),
  }),
  defineCommand({
    name: 'context',
    section: 'Work',
    brief: 'Print what an agent should know about the tasks around its own',
    description:
      'Print the tasks around the current one as a markdown checklist for an agent, with the agent and the status of each ' +
      'task, and mark the current one. Their numbers follow, then what the agent should do next and the commands for it. ' +
      'It has titles only and a limit of tokens; gza reports what it left out. Every run of gza has the checklist in its ' +
      'prompt, and gza setup gives all of it to the sessions of your clients.',
    examples: ['context', 'context --plan docs/plans/2025-12-24-auth.md', 'context --task 12 --max-tokens 500'],
    flags: {
      plan: text('FILE', 'Only tasks of this plan'),
      task: taskFlag('Treat this task as the current one'),
      'max-tokens': count('N', 'Print at most N tokens (400)'),
      hook: toggle("Print it as the JSON that clients accept from a session's start hook"),
    },
    loader: () => import('../commands/work/context.ts'),
  }),
  defineCommand({
    name: 'mcp',
    section: 'Work',
    brief: 'Serve an agent over the Model Context Protocol',
    description:
      'Serve one agent over the Model Context Protocol, on standard input and output. A client starts it, after gza setup ' +
      'CLIENT --mcp. Its tools have the rights of agent mode: an agent looks at tasks, claims one, adds notes and ' +
      'tasks, and closes what it has done. A claim is renewed while the server runs. It stays ten minutes longer for the ' +
      'same client in the same working tree, and is then released.',
    examples: ['mcp', '-C ~/project mcp', 'setup claude --mcp'],
    loader: () => import('../commands/work/mcp.ts'),
  }),
  defineCommand({
    name: 'guard',
    section: 'Work',
    brief: 'Run a command under the guard for agents',
    description: 'Run a command under the guard for agents: it cannot use git to push or to rewrite ledgers.',
    examples: ['guard -- make test', 'guard -- sh -c "git push"'],
    positional: { kind: 'array', minimum: 1, parameter: argument('CMD', 'The command and its arguments, after --') },
    loader: () => import('../commands/work/guard.ts'),
  }),
]
