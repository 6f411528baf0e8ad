import { TASK_TYPES } from '../../core/task/task.ts'
import { defineCommand } from '../command.ts'
import { argument, choice, count, optional, taskArgument, text, toggle } from '../flags/flags.ts'

const STATUSES = ['open', 'pending', 'blocked', 'in_progress', 'done', 'failed', 'skipped']

const allBranches = toggle('The ledgers of all branches')
const plan = text('FILE', 'Only what comes from this plan')

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
      all: toggle('Finished tasks too'),
      'all-branches': allBranches,
      group: text('NAME', 'Only tasks of this group'),
      type: choice('TYPE', TASK_TYPES, 'Only tasks of this type'),
      limit: count('N', 'At most so many'),
    },
    aliases: { t: 'type', a: 'all', n: 'limit' },
    loader: () => import('../commands/look/list.ts'),
  }),
  defineCommand({
    name: 'ready',
    section: 'Look',
    brief: 'List what can be started now, and what is blocked by what',
    examples: ['ready', 'ready --json'],
    loader: () => import('../commands/look/ready.ts'),
  }),
  defineCommand({
    name: 'next',
    section: 'Look',
    brief: 'List pending tasks by number and type',
    description: 'List the tasks that can be started, by number and type, and how many are blocked.',
    examples: ['next', 'next --all'],
    flags: { all: toggle('Blocked tasks too, with what blocks them') },
    aliases: { a: 'all' },
    loader: () => import('../commands/look/next.ts'),
  }),
  defineCommand({
    name: 'show',
    section: 'Look',
    brief: 'Show one task',
    examples: ['show task-a3f8', 'show 29', 'show 29 --json'],
    positional: { kind: 'tuple', parameters: [taskArgument('The task: number, id, unique prefix or key')] },
    loader: () => import('../commands/look/show.ts'),
  }),
  defineCommand({
    name: 'status',
    section: 'Look',
    brief: 'Show how far a group, or everything, is',
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
    brief: 'Show how far each milestone is',
    description:
      'Show the milestones in the order in which they are worked on. One is completed if all its tasks are, else failed if ' +
      'any is, else in_progress once something began. Of a task that is split its parts are counted.',
    examples: ['milestones', 'milestones --json'],
    loader: () => import('../commands/look/milestones.ts'),
  }),
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
    name: 'graph',
    section: 'Look',
    brief: 'Draw which tasks wait for which, and why',
    description:
      'Draw the open tasks, each below what it waits for; with ID, what that task needs and what needs it. The kind of a ' +
      'dependency is file where a task modifies what the other creates, split between the parts of one task, child where ' +
      'a task is done through the other, else explicit.',
    examples: [
      'graph',
      'graph 29',
      'graph --all',
      'graph --svg > tasks.svg',
      'graph --mermaid',
      'graph --dot | dot -Tpng',
    ],
    flags: {
      all: toggle('Finished tasks too'),
      mermaid: toggle('As a Mermaid flowchart'),
      dot: toggle('As a graph for Graphviz'),
      svg: toggle('As a picture that stands alone'),
    },
    aliases: { a: 'all' },
    positional: { kind: 'tuple', parameters: [optional(taskArgument('What this task needs, and what needs it'))] },
    loader: () => import('../commands/look/graph.ts'),
  }),
  defineCommand({
    name: 'log',
    section: 'Look',
    brief: 'Show the audit trail of the ledger, or of one task',
    examples: ['log', 'log task-a3f8', 'log --limit 20'],
    flags: { limit: count('N', 'At most so many entries, newest first') },
    aliases: { n: 'limit' },
    positional: { kind: 'tuple', parameters: [optional(taskArgument('Only what concerns this task'))] },
    loader: () => import('../commands/look/log.ts'),
  }),
  defineCommand({
    name: 'query',
    section: 'Look',
    brief: 'Ask the index with SQL, read-only',
    description: 'Ask the index of the ledger with SQL, read-only. The views are `tasks` and `agents`.',
    examples: [
      'query "SELECT id, content FROM tasks WHERE completed_at IS NULL"',
      'query "SELECT assigned_agent, count(*) AS open FROM tasks GROUP BY 1" --json',
    ],
    flags: { 'all-branches': allBranches },
    positional: { kind: 'tuple', parameters: [argument('SQL', 'One SELECT statement')] },
    loader: () => import('../commands/look/query.ts'),
  }),
]
