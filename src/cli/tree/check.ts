import { defineCommand } from '../command.ts'
import { text, toggle } from '../flags/flags.ts'

/** Commands that check ledgers and keep them in order. */
export const CHECK_COMMANDS = [
  defineCommand({
    name: 'verify',
    section: 'Check',
    brief: 'Check that the ledger only ever moved forward',
    description:
      'Check that the ledger only ever moved forward. Names the first bad commit and lists the witnesses; exits with 1.',
    examples: ['verify', 'verify --all-branches'],
    flags: { 'all-branches': toggle('The ledgers of all branches') },
    loader: () => import('../commands/check/verify.ts'),
  }),
  defineCommand({
    name: 'doctor',
    section: 'Check',
    brief: 'Check git, state, ledgers, agents and configuration',
    description:
      'Check git, state, ledgers, agents and configuration, and say the next step for each thing that is not well. It changes ' +
      'nothing: what can be made anew, such as the index, the next command makes anew by itself, and a lock, a ledger or a ' +
      'configuration is a person’s to judge. Exits with 1 where something cannot work.',
    examples: ['doctor', 'doctor --json'],
    loader: () => import('../commands/check/doctor.ts'),
  }),
  defineCommand({
    name: 'prune',
    section: 'Check',
    brief: 'Archive the ledgers of deleted branches (people only)',
    description:
      'Archive the ledgers of branches that are gone, here and on every remote. --restore brings one back. Agents may not prune.',
    examples: ['prune --dry-run', 'prune', 'prune --restore feature/login'],
    flags: {
      'dry-run': toggle('Say what would be archived, and archive nothing'),
      restore: text('NAME', 'Bring the archived ledger of this branch back'),
    },
    loader: () => import('../commands/check/prune.ts'),
  }),
]
