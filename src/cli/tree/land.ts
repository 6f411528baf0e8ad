import { defineCommand } from '../command.ts'
import { taskArgument, text, toggle } from '../flags/flags.ts'

/** Commands that bring finished work into its base. */
export const LAND_COMMANDS = [
  defineCommand({
    name: 'merge',
    section: 'Land',
    brief: 'Land finished tasks on their base, verified (people only)',
    description:
      'Land finished tasks on the branch of their ledger. Each is applied on top of the base in a checkout of its own, and ' +
      'verify.command must pass there; the base then follows by fast-forward. What clashes goes back to its agent and ' +
      'holds up no other. A checkout of the base with uncommitted changes is not touched: the landing waits for it.',
    examples: ['merge 3', 'merge 3 4 --squash', 'merge --all', 'merge --group tarantino-v2 --dry-run'],
    flags: {
      all: toggle('All that may land'),
      group: text('NAME', 'All of this group that may land'),
      squash: toggle('One commit for each task'),
      'cherry-pick': toggle("The task's own commits, one by one"),
      merge: toggle('A merge commit for each task'),
      into: text('BRANCH', 'Land on this branch instead'),
      'dry-run': toggle('Show what would land'),
    },
    positional: { kind: 'array', parameter: taskArgument('The tasks') },
    loader: () => import('../commands/land/merge.ts'),
  }),
  defineCommand({
    name: 'queue',
    section: 'Land',
    brief: 'List what has not landed, and why',
    examples: ['queue', 'queue --json'],
    flags: { into: text('BRANCH', 'For this branch instead') },
    loader: () => import('../commands/land/queue.ts'),
  }),
  defineCommand({
    name: 'diff',
    section: 'Land',
    brief: "Show what a task's work changes",
    description:
      "Show what a task's branch changes against its base; once it has landed, what it changed there. The text is git's.",
    examples: ['diff 3', 'diff 3 --stat', 'diff 3 | git apply --check'],
    flags: { stat: toggle('Only the files and how much of each') },
    positional: { kind: 'tuple', parameters: [taskArgument('The task')] },
    loader: () => import('../commands/land/diff.ts'),
  }),
]
