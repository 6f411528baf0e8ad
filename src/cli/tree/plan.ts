import { STRATEGIES } from '../../core/size/strategies.ts'
import { VERDICTS } from '../../core/task/task.ts'
import { defineCommand } from '../command.ts'
import {
  argument,
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
import { TASK_FLAGS } from '../flags/task-flags.ts'

const PLAN_FLAGS = {
  'dry-run': toggle('Print the tree it would make, and write nothing'),
  update: toggle('Bring open tasks and their parts in line with the plan (people only)'),
}

const planArgument = argument(
  'FILE|ID',
  'A markdown, JSON or YAML plan, or the task that wrote one; - reads standard input',
)

/** Commands that write tasks down and change what is written. */
export const PLAN_COMMANDS = [
  defineCommand({
    name: 'add',
    section: 'Plan',
    brief: 'Add a task',
    description:
      'Add a task. The content is the argument; without one it is read from standard input, or written in your editor ' +
      'when standard input is a terminal. Prints the new id.',
    examples: [
      'add "Refactor auth middleware to use JWT"',
      'add "Write tests for JWT auth" --after task-a3f8',
      'add "Design the ImageTransform system" --type plan --group tarantino-v2',
      'add "Implement ImageTransform" -t implement --based-on 1 --review',
      'add "Add feature X" -t implement --auto-review --max-cycles 5',
      'add --title "Parser rewrite" < notes.md',
    ],
    flags: TASK_FLAGS,
    aliases: { t: 'type', a: 'auto-review' },
    positional: {
      kind: 'tuple',
      parameters: [optional(argument('CONTENT', 'What is to be done; - reads standard input'))],
    },
    loader: () => import('../commands/plan/add.ts'),
  }),
  defineCommand({
    name: 'edit',
    section: 'Plan',
    brief: 'Change a task (people only)',
    description:
      'Change a task. Without flags its content opens in your editor. An empty value clears a field. Agents may not edit.',
    examples: [
      'edit task-a3f8 --content "Refactor auth to use JWT (not sessions)"',
      'edit 5 --group tarantino-v2',
      'edit 5 --group ""',
      'edit 29 --verdict APPROVED',
    ],
    flags: {
      content: text('TEXT', 'The new content; - reads standard input'),
      verdict: choice('VERDICT', VERDICTS, 'Override the verdict of its review'),
      reopen: toggle('Make a finished task pending again'),
      ...TASK_FLAGS,
      'no-review': maybe('Take --review back'),
      'no-same-branch': maybe('Take --same-branch back'),
    },
    aliases: { t: 'type', a: 'auto-review' },
    positional: { kind: 'tuple', parameters: [taskArgument('The task: number, id, unique prefix or key')] },
    loader: () => import('../commands/plan/edit.ts'),
  }),
  defineCommand({
    name: 'delete',
    section: 'Plan',
    brief: 'Remove tasks from every list (people only)',
    description:
      'Remove tasks from every list. The ledger keeps them, and undo brings them back. Agents may not delete.',
    examples: ['delete task-a3f8', 'delete 4 5 6'],
    positional: { kind: 'array', minimum: 1, parameter: taskArgument('The tasks') },
    loader: () => import('../commands/plan/delete.ts'),
  }),
  defineCommand({
    name: 'undo',
    section: 'Plan',
    brief: 'Take back the last change of the ledger (people only)',
    description:
      'Take back the last change of the ledger with a new commit; the history keeps both. Agents may not undo.',
    examples: ['undo', 'undo --json'],
    loader: () => import('../commands/plan/undo.ts'),
  }),
  defineCommand({
    name: 'import',
    section: 'Plan',
    brief: 'Add tasks from a checklist, JSONL or another tool',
    description:
      'Add all tasks of a file in one commit: a markdown checklist, nested items becoming children, JSONL as export ' +
      'writes it, or what another tool keeps: beads, Task Master, Backlog.md (their file, or the folder that holds it), ' +
      'GitHub issues as gh prints them. Dependencies and parents are kept. Imported again, only new tasks are added: ' +
      'each has a key such as beads:bd-12. What differs by then is said, and --update brings open tasks in line.',
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
      format: exactly('FORMAT', ['markdown', 'jsonl'], 'Instead of guessing it from name and content'),
      from: exactly(
        'TOOL',
        ['beads', 'task-master', 'backlog', 'github'],
        'Whose tasks they are, instead of guessing it',
      ),
      'dry-run': toggle('Say what would be added, and add nothing'),
      update: toggle('Bring open tasks of an earlier import in line with the other tool (people only)'),
    },
    positional: { kind: 'tuple', parameters: [argument('FILE', 'The file or folder; - reads standard input')] },
    loader: () => import('../commands/plan/import.ts'),
  }),
  defineCommand({
    name: 'plan',
    section: 'Plan',
    brief: 'Make tasks of a plan',
    description:
      'Make tasks of a plan, in one commit: phases become milestones, headings with keys, checkboxes or numbered steps ' +
      'become tasks with their files, criteria and dependencies, and what is too much for one agent is split. Prints the ' +
      'tree. Imported again, a plan adds only what is new and says what differs. What is wrong with a plan is told with ' +
      'its line, and then nothing is imported.',
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
    brief: 'Say how complex a task is, from 0 to 13, and why',
    description:
      'Score a task, or each task of a plan, from 0 to 13: files, coupling between them, difficulty, unclear ' +
      'requirements and tokens, each point with its reason. Above task_size_limits.complexity_threshold (5) a task ' +
      'should be split.',
    examples: ['score 12', 'score T1 --json', 'score docs/plans/auth.md'],
    positional: {
      kind: 'tuple',
      parameters: [{ ...taskArgument('The task, or a plan; - reads standard input'), placeholder: 'ID|FILE' }],
    },
    loader: () => import('../commands/plan/score.ts'),
  }),
  defineCommand({
    name: 'split',
    section: 'Plan',
    brief: 'Split a task that is too complex into a chain of parts',
    description:
      'File the parts of a task as its children T1-a, T1-b …, each waiting for the one before, in one commit. Files and ' +
      'criteria are distributed without loss, and the task completes with its last part. Without --strategy only a task ' +
      'above the threshold is split, by what makes it complex.',
    examples: ['split T1', 'split 12 --dry-run', 'split 12 --strategy layers'],
    flags: {
      strategy: exactly('STRATEGY', STRATEGIES, 'Split it this way, whatever it scores'),
      'dry-run': toggle('Show the parts, and file nothing'),
    },
    positional: { kind: 'tuple', parameters: [taskArgument('The task: number, id, unique prefix or key')] },
    loader: () => import('../commands/plan/split.ts'),
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
