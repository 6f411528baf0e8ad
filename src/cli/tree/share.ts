import { defineCommand } from '../command.ts'
import { argument, branchFlag, optional, text, toggle, wordArgument } from '../flags/flags.ts'

/** Commands that exchange tasks with remotes and other tools. */
export const SHARE_COMMANDS = [
  defineCommand({
    name: 'pr',
    section: 'Share',
    brief: 'Print the tasks as markdown for a pull request',
    description:
      'Print the tasks as markdown for a pull request. --create pushes the branch with its tasks and opens the pull ' +
      'request with gh, GitHub\u2019s command line. If it is already open, and with --update, only its description is ' +
      'updated, between the marks <!-- gza:begin --> and <!-- gza:end -->; text around them is kept. Agents may only print.',
    examples: ['pr', 'pr --create', 'pr --create --draft --title "Rate limits"', 'pr --update', 'pr | pbcopy'],
    flags: {
      create: toggle('Push the branch with its tasks and open the pull request (people only)'),
      update: toggle('Update the description of the open pull request (people only)'),
      title: text('TEXT', 'With --create: the title'),
      base: branchFlag('NAME', 'With --create: the branch to merge into'),
      draft: toggle('With --create: open it as a draft'),
    },
    loader: () => import('../commands/share/pr.ts'),
  }),
  defineCommand({
    name: 'export',
    section: 'Share',
    brief: 'Print all tasks as JSONL, markdown or CSV',
    examples: ['export > tasks.jsonl', 'export --markdown', 'export --csv'],
    flags: {
      jsonl: toggle('Print the lines of the ledger (default)'),
      markdown: toggle('Print a checklist with indented children'),
      csv: toggle('Print a table'),
    },
    loader: () => import('../commands/share/export.ts'),
  }),
  defineCommand({
    name: 'sync',
    section: 'Share',
    brief: 'Exchange ledgers with a remote (people only)',
    description:
      'Fetch the ledgers of a remote, join them with the local ones, and push the result. With --branch, ' +
      'only the ledger of that branch is exchanged, and those that its tasks moved to. sync fails if the remote sends ' +
      'nothing for two minutes (git config gza.syncTimeout SECONDS), and never asks for a password. If a ledger cannot be ' +
      'exchanged, sync exchanges the others, names it with the reason, and exits with 1. A ledger with an illegal commit ' +
      'is refused; --without publishes the last legal state of the present ledger, joined with your facts, and ' +
      'other clones then leave the commit out too. Agents may not sync.',
    examples: ['sync', 'sync upstream', 'sync --branch feature/login', 'sync --without 1a2b3c4'],
    flags: { without: text('COMMIT', 'Publish the ledger without this illegal commit') },
    positional: { kind: 'tuple', parameters: [optional(argument('REMOTE', 'The remote (default: origin)'))] },
    loader: () => import('../commands/share/sync.ts'),
  }),
  defineCommand({
    name: 'linear',
    section: 'Share',
    brief: 'Synchronize tasks with issues in Linear (people only)',
    description:
      'linear sync creates an issue for each open task, with labels, priority, estimate, parent, project milestone and ' +
      'blocking relations, and copies states in both directions: the side that changed since the last sync wins. The ' +
      'team is set in integrations.linear, the key in LINEAR_API_KEY. Nothing is created twice, not even after a ' +
      'failure. Agents may not sync.',
    examples: ['linear sync --dry-run', 'linear sync', 'linear sync --json'],
    flags: { 'dry-run': toggle('Query Linear and print what would be done, and change nothing') },
    positional: { kind: 'tuple', parameters: [wordArgument('sync', ['sync'], 'What to do')] },
    loader: () => import('../commands/share/linear.ts'),
  }),
]
