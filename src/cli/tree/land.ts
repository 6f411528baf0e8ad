import { defineCommand } from '../command.ts'
import { branchFlag, taskArgument, text, toggle } from '../flags/flags.ts'

/** Commands that land finished work on its base branch. */
export const LAND_COMMANDS = [
  defineCommand({
    name: 'merge',
    section: 'Land',
    brief: 'Verify finished tasks and land them on their base (people only)',
    description:
      'Land finished tasks on the branch of their ledger. Each task is applied on top of the base in a separate checkout, ' +
      'and verify.command must pass there; then the base is fast-forwarded. A task that conflicts goes back to its agent ' +
      'and does not delay the others. If a checkout of the base has uncommitted changes, it is not touched and the ' +
      'landing waits. The commits of a task that was skipped or closed by hand land only if you name it, after a question.',
    examples: ['merge 3', 'merge 3 4 --squash', 'merge 3 --yes', 'merge --all', 'merge --group tarantino-v2 --dry-run'],
    flags: {
      all: toggle('Land every task that may land'),
      group: text('NAME', 'Land every task of this group that may land'),
      squash: toggle('Make one commit for each task'),
      'cherry-pick': toggle("Apply the task's own commits one by one"),
      merge: toggle('Make a merge commit for each task'),
      into: branchFlag('BRANCH', 'Land on this branch instead'),
      'dry-run': toggle('Show what would land, and land nothing'),
      yes: toggle('Land named branches even if their tasks were skipped or closed by hand'),
    },
    positional: { kind: 'array', parameter: taskArgument('The tasks', 'unlanded') },
    loader: () => import('../commands/land/merge.ts'),
  }),
  defineCommand({
    name: 'queue',
    section: 'Land',
    brief: 'List the tasks that have not landed, and why',
    examples: ['queue', 'queue --json'],
    flags: { into: branchFlag('BRANCH', 'Show the queue of this branch instead') },
    loader: () => import('../commands/land/queue.ts'),
  }),
  defineCommand({
    name: 'diff',
    section: 'Land',
    brief: "Show what a task's work changes",
    description:
      "Show what a task's branch changes compared with its base or, once it has landed, what it changed there. Prints the " +
      'output of git diff.',
    examples: ['diff 3', 'diff 3 --stat', 'diff 3 | git apply --check'],
    flags: { stat: toggle('Print only the changed files and the size of each change') },
    positional: { kind: 'tuple', parameters: [taskArgument('The task', 'worked')] },
    loader: () => import('../commands/land/diff.ts'),
  }),
]
