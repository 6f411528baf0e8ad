import { defineCommand } from '../command.ts'
import { text, toggle } from '../flags/flags.ts'

/** Commands that check ledgers and clean them up. */
export const CHECK_COMMANDS = [
  defineCommand({
    name: 'verify',
    section: 'Check',
    brief: 'Check that the history of the ledger was never rewritten',
    description:
      'Check that the history of the ledger was never rewritten. If it was, verify names the first bad commit, lists the ' +
      'witnesses, and exits with 1.',
    examples: ['verify', 'verify --all-branches'],
    flags: { 'all-branches': toggle('Check the ledgers of all branches') },
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
      'Archive the ledgers of branches that no longer exist, neither here nor on any remote. --restore brings one back. ' +
      'Agents may not prune.',
    examples: ['prune --dry-run', 'prune', 'prune --restore feature/login'],
    flags: {
      'dry-run': toggle('Print what would be archived, and archive nothing'),
      restore: text('NAME', 'Restore the archived ledger of this branch'),
    },
    loader: () => import('../commands/check/prune.ts'),
  }),
]
