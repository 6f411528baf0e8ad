import { TASK_TYPES } from '../../core/task/task.ts'
import { defineCommand } from '../command.ts'
import { argument, choice, count, optional, taskArgument, text, toggle } from '../flags/flags.ts'

const STATUSES = ['open', 'pending', 'blocked', 'in_progress', 'done', 'failed', 'skipped']

const allBranches = toggle('Read the ledgers of all branches')
const plan = text('FILE', 'Only tasks of this plan')

/** Commands that only read. */
export const LOOK_COMMANDS = [
  defineCommand({
    name: 'list',
    section: 'Look',
    brief: 'List tasks',
    description: 'List the open tasks of the current branch.',
    examples: ['list', 'list --all', 'list --status done', 'list --group tarantino-v2 --type implement', 'list --json'],
    flags: {
      status: choice('STATUS', STATUSES, 'Only tasks with this status'),
      all: toggle('Include finished tasks'),
      'all-branches': allBranches,
      group: text('NAME', 'Only tasks of this group'),
      type: choice('TYPE', TASK_TYPES, 'Only tasks of this type'),
      limit: count('N', 'List at most N tasks'),
    },
    aliases: { t: 'type', a: 'all', n: 'limit' },
    loader: () => import('../commands/look/list.ts'),
  }),
  defineCommand({
    name: 'ready',
    section: 'Look',
    brief: 'List the tasks that can start now, and what blocks the others',
    examples: ['ready', 'ready --json'],
    loader: () => import('../commands/look/ready.ts'),
  }),
  defineCommand({
    name: 'next',
    section: 'Look',
    brief: 'List pending tasks by number and type',
    description: 'List the tasks that can be started, by number and type, and how many are blocked.',
    examples: ['next', 'next --all'],
    flags: { all: toggle('Include blocked tasks, with what blocks them') },
    aliases: { a: 'all' },
    loader: () => import('../commands/look/next.ts'),
  }),
  defineCommand({
    name: 'show',
    section: 'Look',
    brief: 'Show one task',
    description:
      'Show one task. With --text, print the newest text that it made (plan, exploration, review), as the ledger has it; ' +
      'NAME is another of its texts.',
    examples: ['show task-a3f8', 'show 29', 'show 29 --json', 'show 29 --text', 'show 29 --text review-1'],
    flags: { text: toggle('Print a text of the task instead: the newest one, or NAME') },
    positional: {
      kind: 'tuple',
      parameters: [
        taskArgument('The task: number, id, unique prefix or key'),
        optional(argument('NAME', 'With --text: the name of a text, or a part of it')),
      ],
    },
    loader: () => import('../commands/look/show.ts'),
  }),
  defineCommand({
    name: 'status',
    section: 'Look',
    brief: 'Show the progress of a group or of all tasks',
    examples: ['status', 'status tarantino-v2'],
    positional: { kind: 'tuple', parameters: [optional(argument('GROUP', 'Only this group'))] },
    loader: () => import('../commands/look/status.ts'),
  }),
  defineCommand({
    name: 'groups',
    section: 'Look',
    brief: 'List the groups with their counts',
    examples: ['groups', 'groups --json'],
    loader: () => import('../commands/look/groups.ts'),
  }),
  defineCommand({
    name: 'milestones',
    section: 'Look',
    brief: 'Show the progress of each milestone',
    description:
      'Show the milestones in the order in which they are worked on. A milestone is completed if all its tasks are ' +
      'completed, failed if any of them failed, and in_progress once work on it has started. For a task that was split, ' +
      'its parts are counted.',
    examples: ['milestones', 'milestones --json'],
    loader: () => import('../commands/look/milestones.ts'),
  }),
  defineCommand({
    name: 'tree',
    section: 'Look',
    brief: 'Show tasks with their parts, and mark the current task',
    description:
      'Show the tasks that are not finished, each with its parts, and mark the current task: the first unfinished task ' +
      'that has no parts.',
    examples: ['tree', 'tree 12', 'tree --plan docs/plans/2025-12-24-auth.md', 'tree --numbers', 'tree --json'],
    flags: {
      plan,
      all: toggle('Include finished and archived tasks'),
      numbers: toggle('Print the number of each task in front of it'),
    },
    aliases: { a: 'all', n: 'numbers' },
    positional: { kind: 'tuple', parameters: [optional(taskArgument('Only this task and its parts'))] },
    loader: () => import('../commands/look/tree.ts'),
  }),
  defineCommand({
    name: 'where',
    section: 'Look',
    brief: 'Show the current task: the first unfinished task that has no parts',
    examples: ['where', 'where --plan docs/plans/2025-12-24-auth.md', 'where --json'],
    flags: { plan },
    loader: () => import('../commands/look/where.ts'),
  }),
  defineCommand({
    name: 'graph',
    section: 'Look',
    brief: 'Draw the dependencies between tasks, and their reasons',
    description:
      'Draw the open tasks, each below the tasks it depends on. With ID, draw what that task needs and what needs it. A ' +
      'dependency has one of four kinds: file (one task modifies a file that the other creates), split (both are parts ' +
      'of one task), child (a task waits for its own parts) or explicit (all others).',
    examples: [
      'graph',
      'graph 29',
      'graph --all',
      'graph --svg > tasks.svg',
      'graph --mermaid',
      'graph --dot | dot -Tpng',
    ],
    flags: {
      all: toggle('Include finished tasks'),
      mermaid: toggle('Print a Mermaid flowchart'),
      dot: toggle('Print a graph for Graphviz'),
      svg: toggle('Print a self-contained SVG image'),
    },
    aliases: { a: 'all' },
    positional: { kind: 'tuple', parameters: [optional(taskArgument('Draw what this task needs, and what needs it'))] },
    loader: () => import('../commands/look/graph.ts'),
  }),
  defineCommand({
    name: 'log',
    section: 'Look',
    brief: 'Show the audit trail of the ledger, or of one task',
    examples: ['log', 'log task-a3f8', 'log --limit 20'],
    flags: { limit: count('N', 'Show at most N entries, newest first') },
    aliases: { n: 'limit' },
    positional: { kind: 'tuple', parameters: [optional(taskArgument('Only entries about this task'))] },
    loader: () => import('../commands/look/log.ts'),
  }),
  defineCommand({
    name: 'query',
    section: 'Look',
    brief: 'Query the index with SQL, read-only',
    description: 'Query the index of the ledger with SQL, read-only. The views are `tasks` and `agents`.',
    examples: [
      'query "SELECT id, content FROM tasks WHERE completed_at IS NULL"',
      'query "SELECT assigned_agent, count(*) AS open FROM tasks GROUP BY 1" --json',
    ],
    flags: { 'all-branches': allBranches },
    positional: { kind: 'tuple', parameters: [argument('SQL', 'One SELECT statement')] },
    loader: () => import('../commands/look/query.ts'),
  }),
]
