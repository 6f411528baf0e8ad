import { defineCommand } from '../command.ts'
import { argument, count, hours, optional, seconds, taskArgument, text, toggle, wordArgument } from '../flags/flags.ts'

const RALPH_FLAGS = {
  ralph: toggle('Call the agent again until it promises that the work is done'),
  'max-iterations': count('N', 'With --ralph: call it at most N times (10)'),
}

/** Commands that start agents and end their runs. */
export const RUN_COMMANDS = [
  defineCommand({
    name: 'work',
    section: 'Run',
    brief: 'Let agents work on tasks (people only)',
    description:
      'Let agents work on tasks: the next one, the given ones, or with --all every task that is ready. Each task has its ' +
      'own branch and worktree, and is completed when its last commit has passed the checks. Before agents start, the ' +
      'checks run once on the base: if it fails them, only tasks that you name are started. A task with --auto-review is ' +
      'then reviewed and improved until a review approves it. With --ralph, the agent is called repeatedly, each time ' +
      'with a fresh context, until it prints <promise>DONE</promise> on a separate line and the checks pass. The end is a ' +
      'report on stderr: what was done, what needs you, the cost and the next command. If the queue belongs to a fleet, ' +
      'work needs --fleet, which exchanges the tasks with the remote and shows what the fleet does with those that you ' +
      'name, or with all open ones (Ctrl-C ends only that), or --local.',
    examples: [
      'work',
      'work 3',
      'work --all --workers 4',
      'work --all --dry-run',
      'work 3 --agent codex --model gpt-5',
      'work 3 --ralph --max-iterations 5',
      'work --fleet 3 4',
    ],
    flags: {
      count: count('N', 'Work on at most N tasks'),
      all: toggle('Work until nothing is ready'),
      workers: count('N', 'Run N tasks at once'),
      agent: text('NAME', 'The agent to use'),
      model: text('NAME', 'The model it should use'),
      'take-over': toggle('Take the task from the worker that has it'),
      'dry-run': toggle('Show what would run, and why other tasks would not'),
      wait: toggle(
        'When nothing can run, wait for agents at their limit and for a red base (with --all on a terminal: always)',
      ),
      'max-wait': hours('Wait as with --wait, at most this long (12)'),
      'no-base-check': toggle('Start agents although the base was not checked, or fails its own checks'),
      fleet: toggle('Leave the work to the fleet that the queue belongs to, and show what it does'),
      local: toggle('Work here although the queue belongs to a fleet'),
      ...RALPH_FLAGS,
    },
    positional: { kind: 'array', parameter: taskArgument('The tasks (default: the next one)', 'ready') },
    loader: () => import('../commands/run/work.ts'),
  }),
  defineCommand({
    name: 'run',
    section: 'Run',
    brief: 'Run agents on the ready tasks in this working tree (people only)',
    description:
      'Run one agent after the other in this working tree, on this branch, until no task is ready. The agent commits and ' +
      'marks its task as done, and gza checks that it is. Nothing is pushed. The end is the same report as that of work.',
    examples: [
      'run',
      'run --opencode --model openai/gpt-4o',
      'run --runner "aider --yes"',
      'run --once',
      'run --dry-run',
    ],
    flags: {
      claude: toggle('Use Claude Code (default)'),
      opencode: toggle('Use OpenCode'),
      codex: toggle('Use Codex'),
      gemini: toggle('Use Gemini'),
      qwen: toggle('Use Qwen Code'),
      copilot: toggle('Use Copilot'),
      runner: text('CMD', 'Use your own command; the prompt is its last argument'),
      model: text('NAME', 'The model to use'),
      once: toggle('Run one task, then stop'),
      'dry-run': toggle('Show what would run'),
      delay: seconds('Pause between tasks (2)'),
      'max-tasks': count('N', 'Stop after N tasks'),
    },
    loader: () => import('../commands/run/run.ts'),
  }),
  defineCommand({
    name: 'retry',
    section: 'Run',
    brief: 'Try a failed task again (people only)',
    description:
      'Try a failed task again. It continues on its branch and, if the agent supports that, in its session. A review cycle ' +
      'continues at the phase that failed; with --fresh, it starts from the beginning. A task that has used up its review ' +
      'cycles continues after its last review, once edit --max-cycles allows more of them.',
    examples: ['retry 29', 'retry 29 --fresh', 'retry 29 --ralph'],
    flags: {
      fresh: toggle('Start a new session, and a review cycle from the beginning'),
      agent: text('NAME', 'The agent to use'),
      model: text('NAME', 'The model it should use'),
      ...RALPH_FLAGS,
    },
    positional: { kind: 'tuple', parameters: [taskArgument('The task', 'failed')] },
    loader: () => import('../commands/run/retry.ts'),
  }),
  defineCommand({
    name: 'review',
    section: 'Run',
    brief: "Let an agent review a task's work (people only)",
    description:
      'Add a review task for the current commit of a finished task, and run it. The reviewer works read-only in a ' +
      'temporary checkout. Its verdict is valid for that commit only.',
    examples: ['review 29', 'review 29 --agent codex'],
    flags: {
      agent: text('NAME', 'The agent to use'),
      model: text('NAME', 'The model it should use'),
    },
    positional: { kind: 'tuple', parameters: [taskArgument('The task', 'reviewable')] },
    loader: () => import('../commands/run/review.ts'),
  }),
  defineCommand({
    name: 'improve',
    section: 'Run',
    brief: "Let an agent act on a task's last review (people only)",
    description:
      "Add an improve task on the task's branch, with its last review as context, and run it. GUIDE says what to look at; " +
      'with it, no review is needed. A review of the result is added as a pending task; --review runs it too.',
    examples: ['improve 29', 'improve 29 "handle empty input too"', 'improve 29 --review'],
    flags: {
      review: toggle('Review the result immediately'),
      agent: text('NAME', 'The agent to use'),
      model: text('NAME', 'The model it should use'),
    },
    positional: {
      kind: 'tuple',
      parameters: [taskArgument('The task', 'reviewable'), optional(argument('GUIDE', 'What to look at'))],
    },
    loader: () => import('../commands/run/improve.ts'),
  }),
  defineCommand({
    name: 'kill',
    section: 'Run',
    brief: 'Stop the run of a task and keep its work (people only)',
    description:
      'Stop the run of a task and keep its work. If the gza that ran it has died and its agent still runs, this ends all its ' +
      'processes, keeps its work on its branch and records the end of the run, which uses up no attempt. ps shows such ' +
      'orphans. The check of a base or a landing has the name of its base: kill land:main.',
    examples: ['kill 29', 'kill land:main'],
    positional: { kind: 'tuple', parameters: [taskArgument('The task', 'running')] },
    loader: () => import('../commands/run/kill.ts'),
  }),
  defineCommand({
    name: 'fleet',
    section: 'Run',
    brief: 'Let several machines work on this queue (people only)',
    description:
      'Let several machines work on the queue of a branch, with PostgreSQL for who does what and a git remote for ' +
      'tasks and work. init checks the remote and the database and makes the queue belong to a fleet; it may be repeated. ' +
      'worker runs on each machine, outside of any repository: it makes its own clones and works until Ctrl-C; ' +
      'the second one ends its runs. status lists machines and runs. drain lets a machine finish what it does and end; ' +
      'without MACHINE, all do. remove forgets a machine that is gone. pause lets no new run start until resume. leave makes the queue ' +
      'an ordinary one again: the ledger in git is complete at any time. migrate creates what a newer gza needs in the ' +
      'database. Its address is in GZA_FLEET_URL or in ~/.config/gza/fleet-url (mode 600).',
    examples: [
      'fleet init',
      'fleet worker --repo ssh://git@host/project.git --workers 4 --trust-base',
      'fleet status --watch',
      'fleet drain build-3',
      'fleet leave',
    ],
    flags: {
      repo: text('REMOTE', 'With worker: the address of the git remote'),
      workers: count('N', 'With worker: run N tasks at once (1)'),
      'trust-base': toggle('With worker: trust the configuration that the base branch of the remote has'),
      watch: toggle('With status: print it again every two seconds'),
    },
    positional: {
      kind: 'tuple',
      parameters: [
        wordArgument(
          'ACTION',
          ['init', 'worker', 'status', 'drain', 'remove', 'pause', 'resume', 'leave', 'migrate'],
          'What to do',
        ),
        optional(argument('MACHINE', 'With drain and remove: its id or host name')),
      ],
    },
    loader: () => import('../commands/run/fleet.ts'),
  }),
  defineCommand({
    name: 'simulate',
    section: 'Run',
    brief: 'Simulate the open tasks with 1 to N workers',
    description:
      'Simulate the open tasks in the order in which workers would choose them. Shows which worker does what and when, how ' +
      'long it takes, the chain of tasks that decides this, and how idle 1, 2, … N workers are. The estimate for a task is ' +
      'the time of finished tasks with its type and agent or, without any, is derived from its size. Nothing is started.',
    examples: ['simulate', 'simulate --workers 8', 'simulate --group tarantino-v2 --json'],
    flags: {
      workers: count('N', 'Simulate up to N workers (4, or the configured number if that is higher)'),
      group: text('NAME', 'Only the tasks of this group, and what they need'),
    },
    loader: () => import('../commands/run/simulate.ts'),
  }),
  defineCommand({
    name: 'demo',
    section: 'Run',
    brief: 'See agents work in a temporary repository; no key is needed',
    description:
      'Make a temporary repository, let a built-in scripted agent work on four tasks at once, and show the result. ' +
      'Nothing is left behind, and none of your files is read or changed. With --web a page in the browser shows it, until ' +
      'Ctrl-C, with more tasks: one has a question, one has failed, one waits for a person to land it, and one runs.',
    examples: ['demo', 'demo --web', 'demo --web --no-open'],
    flags: {
      web: toggle('Show it in a browser'),
      'no-open': toggle('With --web: only print the address'),
    },
    loader: () => import('../commands/run/demo.ts'),
  }),
]
