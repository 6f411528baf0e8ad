import { defineCommand } from '../command.ts'
import { argument, optional, taskArgument, text, texts, toggle } from '../flags/flags.ts'
import { outputFlags, pagedFlags } from '../flags/output-flags.ts'

const plan = text('FILE', 'Only tasks of this plan')

/** Commands that only read. The ones that are called most are in look.ts. */
export const CLOSER_LOOK_COMMANDS = [
  defineCommand({
    name: 'search',
    section: 'Look',
    brief: 'Find tasks by the words in their texts',
    description:
      'Find open and finished tasks by the words in their title, content, notes, criteria, declared files and artifacts ' +
      '(plans, explorations, reviews), the best match first. All words must be found; case and accents do not count. ' +
      '"Two words" in quotes are a phrase, pars* is the beginning of a word, and -word must not be found. title:, ' +
      'content:, note:, criteria: and artifact: search in one text only. status:, type:, group:, agent:, priority:, ' +
      'milestone:, since: and file: filter as the flags of list do. Put the search into quotes for your shell. Without ' +
      '--limit, 20 tasks are printed, and with --json all.',
    examples: [
      'search parser',
      'search \'parser "syntax error" -legacy\'',
      "search 'title:pars* status:open priority:critical,high'",
      'search parser --not group:later',
      'search parser --all --json',
    ],
    flags: {
      not: texts('TERM', 'Leave out tasks that this matches: a word, or FIELD:VALUE'),
      all: toggle('Include archived tasks'),
      'all-branches': toggle('Search the ledgers of all branches'),
      ...outputFlags('found'),
    },
    aliases: { a: 'all', n: 'limit' },
    positional: { kind: 'array', parameter: argument('WORDS', 'What to search for'), minimum: 1 },
    loader: () => import('../commands/look/search.ts'),
  }),
  defineCommand({
    name: 'status',
    section: 'Look',
    brief: 'Show the progress of a group or of all tasks',
    description:
      'Show the progress of a group or of all tasks. On a terminal, what does not fit on the screen is counted; tasks ' +
      'that run, have failed or wait come before finished ones.',
    examples: ['status', 'status tarantino-v2', 'status --limit 500'],
    flags: outputFlags('task'),
    aliases: { n: 'limit' },
    positional: { kind: 'tuple', parameters: [optional(argument('GROUP', 'Only this group'))] },
    loader: () => import('../commands/look/status.ts'),
  }),
  defineCommand({
    name: 'groups',
    section: 'Look',
    brief: 'List the groups with their counts',
    examples: ['groups', 'groups --limit 10', 'groups --json'],
    flags: pagedFlags('Print at most N groups'),
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
    examples: ['milestones', 'milestones --limit 10', 'milestones --json'],
    flags: pagedFlags('Print at most N milestones'),
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
      ...outputFlags('line'),
    },
    aliases: { a: 'all', n: 'numbers' },
    positional: { kind: 'tuple', parameters: [optional(taskArgument('Only this task and its parts', 'listed'))] },
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
    positional: {
      kind: 'tuple',
      parameters: [optional(taskArgument('Draw what this task needs, and what needs it', 'listed'))],
    },
    loader: () => import('../commands/look/graph.ts'),
  }),
  defineCommand({
    name: 'log',
    section: 'Look',
    brief: 'Show the audit trail of the ledger, or of one task',
    examples: ['log', 'log task-a3f8', 'log --limit 20'],
    flags: outputFlags('change', 'Print at most N entries, newest first'),
    aliases: { n: 'limit' },
    positional: { kind: 'tuple', parameters: [optional(taskArgument('Only entries about this task', 'listed'))] },
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
    flags: { 'all-branches': toggle('Read the ledgers of all branches') },
    positional: { kind: 'tuple', parameters: [argument('SQL', 'One SELECT statement')] },
    loader: () => import('../commands/look/query.ts'),
  }),
]
