import { defineCommand } from '../command.ts'
import { count, seconds, taskArgument, text, toggle } from '../flags/flags.ts'

const RALPH_FLAGS = {
  ralph: toggle('Call the agent until it promises that the work is done'),
  'max-iterations': count('N', 'With --ralph: call it at most so often (10)'),
}

/** Commands that start agents and end their runs. */
export const RUN_COMMANDS = [
  defineCommand({
    name: 'work',
    section: 'Run',
    brief: 'Let agents work on tasks (people only)',
    description:
      'Let agents work on tasks: the next one, those named, or with --all every one that is ready. Each runs on a branch ' +
      'and in a worktree of its own, and is completed when its last commit has passed the checks; one with --auto-review is ' +
      'then reviewed and improved until a review approves. With --ralph the agent is called again and again, each time ' +
      'with a fresh context, until it says <promise>DONE</promise> on a line of its own and the checks agree.',
    examples: [
      'work',
      'work 3',
      'work --all --workers 4',
      'work --all --dry-run',
      'work 3 --agent codex --model gpt-5',
      'work 3 --ralph --max-iterations 5',
    ],
    flags: {
      count: count('N', 'Work on at most so many'),
      all: toggle('Work until nothing is ready'),
      workers: count('N', 'How many at once'),
      agent: text('NAME', 'The agent to use'),
      model: text('NAME', 'The model to ask it for'),
      'take-over': toggle('Take the task from whoever is working on it'),
      'dry-run': toggle('Show what would run, and why the rest would not'),
      ...RALPH_FLAGS,
    },
    positional: { kind: 'array', parameter: taskArgument('The tasks; without any, the next one') },
    loader: () => import('../commands/run/work.ts'),
  }),
  defineCommand({
    name: 'run',
    section: 'Run',
    brief: 'Run agents over the ready tasks in this work tree (people only)',
    description:
      'Run one agent after the other in this work tree, on this branch, until no task is ready. The agent commits and ' +
      'marks its task done; the claim is checked. Nothing is pushed.',
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
      runner: text('CMD', 'Use a command of your own; the prompt is its last argument'),
      model: text('NAME', 'The model to use'),
      once: toggle('Run one task, then stop'),
      'dry-run': toggle('Show what would run'),
      delay: seconds('Pause between tasks (2)'),
      'max-tasks': count('N', 'Stop after so many tasks'),
    },
    loader: () => import('../commands/run/run.ts'),
  }),
  defineCommand({
    name: 'retry',
    section: 'Run',
    brief: 'Try a failed task again (people only)',
    description:
      'Try a failed task again, going on with its branch and, where the agent can, its session. A review loop goes on at the ' +
      'phase that failed; with --fresh it begins anew.',
    examples: ['retry 29', 'retry 29 --fresh', 'retry 29 --ralph'],
    flags: {
      fresh: toggle('Start anew: a new session, and a review loop from its beginning'),
      agent: text('NAME', 'The agent to use'),
      model: text('NAME', 'The model to ask it for'),
      ...RALPH_FLAGS,
    },
    positional: { kind: 'tuple', parameters: [taskArgument('The task')] },
    loader: () => import('../commands/run/retry.ts'),
  }),
  defineCommand({
    name: 'review',
    section: 'Run',
    brief: "Let an agent review a task's work (people only)",
    description:
      'Make a review task for the work of a finished task, as it is now, and run it. The reviewer works read-only in a ' +
      'throw-away checkout; its verdict counts for that commit alone.',
    examples: ['review 29', 'review 29 --agent codex'],
    flags: {
      agent: text('NAME', 'The agent to use'),
      model: text('NAME', 'The model to ask it for'),
    },
    positional: { kind: 'tuple', parameters: [taskArgument('The task')] },
    loader: () => import('../commands/run/review.ts'),
  }),
  defineCommand({
    name: 'improve',
    section: 'Run',
    brief: "Let an agent answer a task's last review (people only)",
    description:
      "Make an improve task on the task's branch, with its last review as context, and run it. A review of the result is " +
      'left pending; --review runs that too.',
    examples: ['improve 29', 'improve 29 --review'],
    flags: {
      review: toggle('Review the result at once'),
      agent: text('NAME', 'The agent to use'),
      model: text('NAME', 'The model to ask it for'),
    },
    positional: { kind: 'tuple', parameters: [taskArgument('The task')] },
    loader: () => import('../commands/run/improve.ts'),
  }),
  defineCommand({
    name: 'kill',
    section: 'Run',
    brief: 'End the run of a task; its work is kept (people only)',
    examples: ['kill 29'],
    positional: { kind: 'tuple', parameters: [taskArgument('The task')] },
    loader: () => import('../commands/run/kill.ts'),
  }),
  defineCommand({
    name: 'simulate',
    section: 'Run',
    brief: 'Play the open tasks through with 1 to N workers',
    description:
      'Play the open tasks through, chosen as the workers choose them: who would do what and when, how long it takes, which ' +
      'chain of tasks decides that, and how idle 1, 2, … N workers are. A task takes as long as finished ones of its type ' +
      'and agent did, or without any what its size lets one expect. Nothing is started.',
    examples: ['simulate', 'simulate --workers 8', 'simulate --group tarantino-v2 --json'],
    flags: {
      workers: count('N', 'Up to so many at once (4, or the configured number if that is more)'),
      group: text('NAME', 'Only the tasks of this group, and what they need'),
    },
    loader: () => import('../commands/run/simulate.ts'),
  }),
  defineCommand({
    name: 'demo',
    section: 'Run',
    brief: 'See agents work in a throw-away repository; no key is needed',
    description:
      'Make a throw-away repository, let a built-in scripted agent work on four tasks at once, and show what came of it. ' +
      'Nothing is left behind, and nothing of yours is read or changed.',
    examples: ['demo'],
    loader: () => import('../commands/run/demo.ts'),
  }),
]
