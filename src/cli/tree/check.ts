import { defineCommand } from '../command.ts'
import { argument, branchFlag, optional, text, toggle } from '../flags/flags.ts'

/** Commands that check ledgers and clean them up. */
export const CHECK_COMMANDS = [
  defineCommand({
    name: 'verify',
    section: 'Check',
    brief: 'Check that the history of the ledger was never rewritten',
    description:
      'Check that the history of the ledger was never rewritten. If it was, verify names the first bad commit, lists the ' +
      'witnesses, and exits with 1. --accept makes one bad commit count as legal, for you, in every repository: it is ' +
      'kept in your state folder. Agents may not accept commits.',
    examples: ['verify', 'verify --all-branches', 'verify --accept 1a2b3c4'],
    flags: {
      'all-branches': toggle('Check the ledgers of all branches'),
      accept: text('COMMIT', 'Accept this bad commit (people only)'),
    },
    loader: () => import('../commands/check/verify.ts'),
  }),
  defineCommand({
    name: 'doctor',
    section: 'Check',
    brief: 'Check git, state, ledgers, agents and configuration',
    description:
      'Check git, state, ledgers, agents and configuration, and print the next step for each problem. doctor changes ' +
      'nothing: the next command rebuilds what can be rebuilt, such as the index, and a person decides about locks, ' +
      'ledgers and configuration. Exits with 1 if something cannot work.',
    examples: ['doctor', 'doctor --json'],
    loader: () => import('../commands/check/doctor.ts'),
  }),
  defineCommand({
    name: 'prune',
    section: 'Check',
    brief: 'Archive the ledgers of deleted branches (people only)',
    description:
      'Archive the ledgers of branches that no longer exist, neither here nor on any remote; the remotes are asked. A ' +
      'ledger with open tasks is kept, unless --move-to or --archive-open is given. --restore brings one back. Exits ' +
      'with 1 if a ledger was kept. --remote archives on the default remote too, or on REMOTE. Agents may not prune.',
    examples: [
      'prune --dry-run',
      'prune --move-to main',
      'prune --archive-open --remote',
      'prune --remote upstream',
      'prune --restore feature/login',
    ],
    flags: {
      'dry-run': toggle('Print what would be archived, and archive nothing'),
      'move-to': branchFlag('BRANCH', 'Move open tasks to the ledger of this branch, on hold'),
      'archive-open': toggle('Archive open tasks with their ledgers'),
      remote: toggle('Also archive the ledgers on the remote'),
      restore: branchFlag('NAME', 'Restore the archived ledger of this branch', 'archived'),
    },
    positional: { kind: 'tuple', parameters: [optional(argument('REMOTE', 'With --remote: the remote'))] },
    loader: () => import('../commands/check/prune.ts'),
  }),
]
