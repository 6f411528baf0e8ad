import { PRIORITIES, TASK_TYPES } from '../../core/task/task.ts'
import { defineCommand } from '../command.ts'
import { choice, optional, text, texts, toggle, viewArgument, viewFlag } from '../flags/flags.ts'
import { outputFlags } from '../flags/output-flags.ts'

const STATUSES = ['open', 'pending', 'blocked', 'in_progress', 'done', 'failed', 'skipped', 'ready']

export const LIST_COMMANDS = [
  defineCommand({
    name: 'list',
    section: 'Look',
    brief: 'List tasks',
    description:
      'List the open tasks of the current branch. All filters can be combined; several values are separated by commas. ' +
      '--text and --not take the language of gza search: words, "phrases", beginnings* and FIELD:VALUE. VIEW is a filter ' +
      'that gza.yaml has saved below views: further filters narrow it.',
    examples: [
      'list',
      'list --all',
      'list --status done',
      'list --group tarantino-v2 --type implement',
      'list --fields id,status,title',
      'list --status ready --agent claude --not priority:low',
      'list --text "parser unicode" --since 2d --all',
      "list --file 'src/**/*.ts'",
      'list urgent',
      'list --json',
    ],
    flags: {
      status: choice('STATUS', STATUSES, 'Only tasks with this status'),
      all: toggle('Include finished tasks'),
      'all-branches': toggle('Read the ledgers of all branches'),
      group: text('NAME', 'Only tasks of this group'),
      type: choice('TYPE', TASK_TYPES, 'Only tasks of this type'),
      agent: text('NAME', 'Only tasks that are assigned to this agent'),
      priority: choice('PRIORITY', PRIORITIES, 'Only tasks with this priority'),
      milestone: text('NAME', 'Only tasks of this milestone'),
      since: text('TIME', 'Only tasks that were filed or finished since then: 2d, 12h, or a date'),
      file: text('PATH', 'Only tasks that declare such a file: a path, its beginning, or a pattern'),
      text: text('WORDS', 'Only tasks in which all words are found'),
      not: texts('TERM', 'Only tasks that this does not match: a word, or FIELD:VALUE'),
      view: viewFlag('Only tasks of this saved filter'),
      ...outputFlags('task'),
    },
    aliases: { t: 'type', a: 'all', n: 'limit' },
    positional: { kind: 'tuple', parameters: [optional(viewArgument('The same as --view'))] },
    loader: () => import('../commands/look/list.ts'),
  }),
]
