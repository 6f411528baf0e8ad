import { defineCommand } from '../command.ts'
import { argument, optional, text, toggle, wordArgument } from '../flags/flags.ts'

/** Commands that exchange tasks with other places and tools. */
export const SHARE_COMMANDS = [
  defineCommand({
    name: 'pr',
    section: 'Share',
    brief: 'Print the tasks as markdown for a pull request',
    description:
      'Print the tasks as markdown for a pull request. --create pushes the branch with its tasks and opens the pull request through gh, ' +
      'GitHub\u2019s own command line; where it is open already, and with --update, only its description follows, between ' +
      'the marks <!-- gza:begin --> and <!-- gza:end -->: what people wrote around them stays. Agents may only print.',
    examples: ['pr', 'pr --create', 'pr --create --draft --title "Rate limits"', 'pr --update', 'pr | pbcopy'],
    flags: {
      create: toggle('Push the branch with its tasks and open the pull request (people only)'),
      update: toggle('Bring the description of the open pull request up to date (people only)'),
      title: text('TEXT', 'With --create: its title'),
      base: text('NAME', 'With --create: the branch it goes into'),
      draft: toggle('With --create: as a draft'),
    },
    loader: () => import('../commands/share/pr.ts'),
  }),
  defineCommand({
    name: 'export',
    section: 'Share',
    brief: 'Print all tasks as JSONL, markdown or CSV',
    examples: ['export > tasks.jsonl', 'export --markdown', 'export --csv'],
    flags: {
      jsonl: toggle("The ledger's own lines (default)"),
      markdown: toggle('A checklist, children indented'),
      csv: toggle('A table'),
    },
    loader: () => import('../commands/share/export.ts'),
  }),
  defineCommand({
    name: 'sync',
    section: 'Share',
    brief: 'Exchange ledgers with a remote (people only)',
    description:
      'Fetch the ledgers of a remote, join them with the local ones, and push the result. A remote that says nothing for ' +
      'two minutes is given up (git config gza.syncTimeout SECONDS). Agents may not sync.',
    examples: ['sync', 'sync upstream'],
    positional: { kind: 'tuple', parameters: [optional(argument('REMOTE', 'The remote, origin unless told'))] },
    loader: () => import('../commands/share/sync.ts'),
  }),
  defineCommand({
    name: 'linear',
    section: 'Share',
    brief: 'Bring tasks and Linear\u2019s issues in step (people only)',
    description:
      'linear sync makes an issue of each open task, with labels, priority, estimate, parent, project milestone and ' +
      'blocking relations, and moves states both ways: whoever moved since the last sync leads. The team stands in ' +
      'integrations.linear, the key in LINEAR_API_KEY. Nothing is made twice, also after a failure. Agents may not.',
    examples: ['linear sync --dry-run', 'linear sync', 'linear sync --json'],
    flags: { 'dry-run': toggle('Ask Linear and say what would be done, and do nothing') },
    positional: { kind: 'tuple', parameters: [wordArgument('sync', ['sync'], 'What to do')] },
    loader: () => import('../commands/share/linear.ts'),
  }),
]
