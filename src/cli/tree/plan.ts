import { STRATEGIES } from '../../core/size/strategies.ts'
import { VERDICTS } from '../../core/task/task.ts'
import { defineCommand } from '../command.ts'
import {
  argument,
  branchFlag,
  choice,
  exactly,
  maybe,
  natural,
  optional,
  taskArgument,
  text,
  toggle,
  wordArgument,
} from '../flags/flags.ts'
import { CREATE, TASK_FLAGS } from '../flags/task-flags.ts'

const PLAN_FLAGS = {
  'dry-run': toggle('Print the tree of tasks that would be added, and write nothing'),
  update: toggle('Update open tasks and their parts to match the plan (people only)'),
  create: CREATE,
}

const planArgument = argument(
  'FILE|ID',
  'A markdown, JSON or YAML plan, or the task that wrote one; - reads standard input',
)

/** Commands that change tasks, and that add several. `add` is in plan-add.ts, because it is called all day. */
export const PLAN_COMMANDS = [
  defineCommand({
    name: 'edit',
    section: 'Plan',
    brief: 'Change a task (people only)',
    description:
      'Change a task. Without flags, its content opens in your editor. An empty value clears a field. Agents may not edit.',
    examples: [
      'edit task-a3f8 --content "Refactor auth to use JWT (not sessions)"',
      'edit 5 --group tarantino-v2',
      'edit 5 --group ""',
      'edit 29 --verdict APPROVED',
      'edit 29 --max-cycles 6   # then retry 29 continues after its last review',
      'edit 4 --text   # after you changed its plan in .gza/plans/',
    ],
    flags: {
      content: text('TEXT', 'The new content; - reads standard input'),
      text: toggle('Take in its plan or exploration as you changed it in .gza/; NAME if you changed several'),
      verdict: choice(
        'VERDICT',
        VERDICTS,
        'Your verdict on a commit that a reviewer has judged, instead of its review',
      ),
      reopen: toggle('Make a finished task pending again'),
      ...TASK_FLAGS,
      'no-review': maybe('Undo --review'),
      'no-same-branch': maybe('Undo --same-branch'),
    },
    aliases: { t: 'type', a: 'auto-review' },
    positional: {
      kind: 'tuple',
      parameters: [
        taskArgument('The task: number, id, unique prefix or key', 'open'),
        optional(argument('NAME', 'With --text: the name of the file in .gza/')),
      ],
    },
    loader: () => import('../commands/plan/edit.ts'),
  }),
  defineCommand({
    name: 'delete',
    section: 'Plan',
    brief: 'Remove tasks from every list (people only)',
    description:
      'Remove tasks from every list. The ledger keeps them, and restore brings them back. If somebody works on one of ' +
      'them, it asks first, and without a terminal it refuses. Agents may not delete.',
    examples: ['delete task-a3f8', 'delete 4 5 6'],
    flags: { yes: toggle('Delete tasks even if somebody works on them') },
    positional: { kind: 'array', minimum: 1, parameter: taskArgument('The tasks', 'listed') },
    loader: () => import('../commands/plan/delete.ts'),
  }),
  defineCommand({
    name: 'restore',
    section: 'Plan',
    brief: 'Bring deleted tasks back (people only)',
    description:
      'Bring deleted tasks back, with their ids, notes and dependencies, also tasks that were deleted in another clone. ' +
      'Without an argument, list the deleted tasks. --lost joins changes back that a ledger had and lost to something ' +
      'other than gza, such as a fetch with the refspec +refs/tasks/*:refs/tasks/*; it looks in the reflogs, in what was ' +
      'synced, and in what the index read before, for all ledgers or the one of --branch. Agents may not restore.',
    examples: ['restore', 'restore task-a3f8', 'restore 4 5 6', 'restore --lost'],
    flags: { lost: toggle('Join lost changes of the ledgers back') },
    positional: { kind: 'array', parameter: taskArgument('The tasks', 'deleted') },
    loader: () => import('../commands/plan/restore.ts'),
  }),
  defineCommand({
    name: 'move',
    section: 'Plan',
    brief: 'Move tasks to the ledger of another branch (people only)',
    description:
      'Move tasks to the ledger of another branch, with all facts and artifacts. Parts and open dependencies move along; ' +
      'finished dependencies are copied. --from or --to may be left out: it is then the current branch. The ledger that ' +
      'they leave keeps a hidden line for each, so that changes from other clones arrive too. Refused for tasks in ' +
      'progress. Agents may not move tasks.',
    examples: [
      'move 3 --to feature/login',
      'move --open --from feature/login --to main',
      'move --open --from old-name',
    ],
    flags: {
      open: toggle('Move all open tasks'),
      all: toggle('Move every task'),
      from: branchFlag('BRANCH', 'The branch whose ledger they leave', 'ledgers'),
      to: branchFlag('BRANCH', 'The branch whose ledger they move to'),
    },
    positional: { kind: 'array', parameter: taskArgument('The tasks', 'open') },
    loader: () => import('../commands/plan/move.ts'),
  }),
  defineCommand({
    name: 'undo',
    section: 'Plan',
    brief: 'Undo the last command given in this clone (people only)',
    description:
      'Undo the last command given in this clone that changed a task, with a new commit, and print what changed. Each ' +
      'further undo goes one command further back; redo brings the last one back. What runs and landings recorded, links ' +
      'to commits and joins with other clones are skipped, and so is a command that a run here has built on. Refused ' +
      'if somebody works on the task, or has built on the change in another clone. Each ledger has its own order: --branch selects one. Agents may not undo.',
    examples: ['undo', 'undo --json', 'undo --branch feature'],
    loader: () => import('../commands/plan/undo.ts'),
  }),
  defineCommand({
    name: 'redo',
    section: 'Plan',
    brief: 'Bring back what the last undo took back (people only)',
    description:
      'Bring back what the last undo took back, with a new commit, and print what changed. After several undos, each redo ' +
      'brings one more command back. Once another command has changed a task, there is nothing to redo. Agents may not redo.',
    examples: ['redo', 'redo --json'],
    loader: () => import('../commands/plan/redo.ts'),
  }),
  defineCommand({
    name: 'import',
    section: 'Plan',
    brief: 'Add tasks from a checklist, JSONL or another tool',
    description:
      'Add all tasks of a file in one commit. The file is a markdown checklist (nested items become children), JSONL as ' +
      'export writes it, or the data of another tool: beads, Task Master, Backlog.md (the file, or the folder that ' +
      'contains it), or GitHub issues as gh prints them. Dependencies and parents are kept. Each task gets a key such as ' +
      'beads:bd-12, so a second import adds only new tasks. It lists the differences, and --update applies them to open tasks.',
    examples: [
      'import TODO.md',
      'import TODO.md --dry-run',
      'import - < tasks.jsonl',
      'import .beads',
      'import . --from task-master',
      'import backlog --dry-run',
      'import - < issues.json   # gh issue list --state all --limit 1000 --json number,title,body,labels,state,assignees,url',
    ],
    flags: {
      format: exactly('FORMAT', ['markdown', 'jsonl'], 'The format, instead of guessing it from name and content'),
      from: exactly(
        'TOOL',
        ['beads', 'task-master', 'backlog', 'github'],
        'The tool that wrote the file, instead of guessing it',
      ),
      'dry-run': toggle('Print what would be added, and add nothing'),
      update: toggle('Update open tasks of an earlier import to match the other tool (people only)'),
      create: CREATE,
    },
    positional: { kind: 'tuple', parameters: [argument('FILE', 'The file or folder; - reads standard input')] },
    loader: () => import('../commands/plan/import.ts'),
  }),
  defineCommand({
    name: 'plan',
    section: 'Plan',
    brief: 'Add the tasks of a plan',
    description:
      'Add the tasks of a plan in one commit, and print their tree. Phases become milestones. Headings with keys, ' +
      'checkboxes and numbered steps become tasks with their files, criteria and dependencies. A task that is too large ' +
      'for one agent is split. A second import of a plan adds only new tasks and lists the differences. If the plan has ' +
      'errors, they are reported with their lines and nothing is imported.',
    examples: [
      'plan import docs/plans/auth.md --dry-run',
      'plan import docs/plans/auth.md',
      'plan import docs/plans/auth.md --update',
      'plan import 12',
      'plan import plan.yaml --json',
      'plan import - < plan.md',
    ],
    flags: PLAN_FLAGS,
    positional: {
      kind: 'tuple',
      parameters: [wordArgument('import', ['import'], 'What to do with the plan'), optional(planArgument)],
    },
    loader: () => import('../commands/plan/plan.ts'),
  }),
  defineCommand({
    name: 'breakdown',
    section: 'Plan',
    brief: 'The same as plan import',
    examples: ['breakdown docs/plans/auth.md --dry-run', 'breakdown 12'],
    flags: PLAN_FLAGS,
    positional: { kind: 'tuple', parameters: [planArgument] },
    loader: () => import('../commands/plan/breakdown.ts'),
  }),
  defineCommand({
    name: 'score',
    section: 'Plan',
    brief: 'Score the complexity of a task from 0 to 13',
    description:
      'Score the complexity of a task, or of each task of a plan, from 0 to 13. Points are given for files, coupling ' +
      'between them, difficulty, unclear requirements and tokens, each with its reason. A task above ' +
      'task_size_limits.complexity_threshold (5) should be split.',
    examples: ['score 12', 'score T1 --json', 'score docs/plans/auth.md'],
    positional: {
      kind: 'tuple',
      parameters: [{ ...taskArgument('The task, or a plan; - reads standard input', 'open'), placeholder: 'ID|FILE' }],
    },
    loader: () => import('../commands/plan/score.ts'),
  }),
  defineCommand({
    name: 'split',
    section: 'Plan',
    brief: 'Split a task that is too complex into a chain of parts',
    description:
      'Split a task into parts in one commit. The parts are its children T1-a, T1-b …, and each depends on the one ' +
      'before. Every file and criterion goes to a part, and the task is completed with its last part. Without ' +
      '--strategy, only a task above the threshold is split, in the way that fits what makes it complex.',
    examples: ['split T1', 'split 12 --dry-run', 'split 12 --strategy layers'],
    flags: {
      strategy: exactly('STRATEGY', STRATEGIES, 'Split it this way, regardless of its score'),
      'dry-run': toggle('Show the parts, and add nothing'),
    },
    positional: { kind: 'tuple', parameters: [taskArgument('The task: number, id, unique prefix or key', 'open')] },
    loader: () => import('../commands/plan/split.ts'),
  }),
  defineCommand({
    name: 'todo',
    section: 'Plan',
    brief: 'List the items of TODO.md, start one, or tick it',
    description:
      'List the checklist items of TODO.md, numbered from the top. `todo start N` adds the item as a task, with the steps of ' +
      'the work as its parts (todo.flow in gza.yaml). `todo done N` ticks its box and changes nothing else in the file. An ' +
      'item that was reworded is recognized by its position. If that is ambiguous, gza reports it, and `todo link N ID` ' +
      'links the item to its task.',
    examples: ['todo', 'todo --all', 'todo start 3 --plan docs/plans/auth.md', 'todo done 3', 'todo link 3 12'],
    flags: {
      file: text('FILE', 'Read this file instead of TODO.md at the top of the working tree'),
      all: toggle('Include ticked items'),
      plan: text('FILE', 'With start: the plan it will come from'),
      project: text('NAME', 'With start: the project it belongs to'),
      create: CREATE,
      new: toggle('With start: add it even if the item is, or may be, a task already'),
    },
    aliases: { a: 'all' },
    positional: {
      kind: 'tuple',
      parameters: [
        optional(wordArgument('ACTION', ['start', 'done', 'link'], 'start, done or link')),
        optional(argument('N', 'The number of the item')),
        optional(taskArgument('With link: the task', 'open')),
      ],
    },
    loader: () => import('../commands/plan/todo.ts'),
  }),
  defineCommand({
    name: 'archive',
    section: 'Plan',
    brief: 'Hide finished tasks from the lists, or restore them (people only)',
    description:
      'Hide finished tasks from the lists: the given tasks with their parts, or all tasks that finished at least a number ' +
      'of days ago. The ledger keeps them, tasks that depend on them can still run, list --all shows them, and --restore ' +
      'brings them back. Parts of an unfinished task are not archived. Agents may not archive.',
    examples: ['archive 12 13', 'archive --older-than 30', 'archive --older-than 30 --dry-run', 'archive --restore 12'],
    flags: {
      'older-than': natural('DAYS', 'Archive all tasks that finished at least DAYS days ago'),
      restore: toggle('Restore the given tasks, or all'),
      'dry-run': toggle('Print what would be archived, and archive nothing'),
    },
    positional: { kind: 'array', parameter: taskArgument('The tasks', 'finished') },
    loader: () => import('../commands/plan/archive.ts'),
  }),
]
