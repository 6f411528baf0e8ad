import { defineCommand } from '../command.ts'
import { optional, toggle } from '../flags/flags.ts'
import { SHELLS } from '../flags/shells.ts'

const shellArgument = {
  parse: String,
  placeholder: 'SHELL',
  brief: `One of ${SHELLS.join(', ')}`,
  proposeCompletions: () => SHELLS,
} as const

const keyArgument = {
  parse: String,
  placeholder: 'KEY',
  brief: 'A setting, a section, or a name in several sections',
  proposeCompletions: async () => (await import('../../core/config/known-keys.ts')).SHOWN_KEYS,
} as const

/** Commands that check and prepare a repository or a shell. */
export const SET_UP_COMMANDS = [
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
    name: 'init',
    section: 'Set up',
    brief: 'Prepare this repository',
    examples: ['init'],
    loader: () => import('../commands/set-up/init.ts'),
  }),
  defineCommand({
    name: 'trust',
    section: 'Set up',
    brief: "Allow this repository's configuration to run commands (people only)",
    examples: ['trust', 'trust --show', 'trust --revoke'],
    flags: {
      show: toggle('Say what is trusted, and change nothing'),
      revoke: toggle('Take the trust back'),
    },
    loader: () => import('../commands/set-up/trust.ts'),
  }),
  defineCommand({
    name: 'config',
    section: 'Set up',
    brief: 'Show every setting and where it came from',
    description:
      'Show every setting that is in force and where it came from: built in, your own file, .project-config.json, gza.yaml. KEY is one setting, a section, or a name that several sections have; for one type of task, task_types.TYPE.',
    examples: ['config', 'config model', 'config verify', 'config task_types.review', 'config --schema'],
    flags: { schema: toggle('Print the JSON schema of gza.yaml instead') },
    positional: { kind: 'tuple', parameters: [optional(keyArgument)] },
    loader: () => import('../commands/set-up/config.ts'),
  }),
  defineCommand({
    name: 'shell-init',
    section: 'Set up',
    brief: 'Print the line that gives your shell `git log --tasks` and `git commit --prompt`',
    examples: ['shell-init', 'shell-init fish'],
    positional: { kind: 'tuple', parameters: [optional(shellArgument)] },
    loader: () => import('../commands/set-up/shell-init.ts'),
  }),
  defineCommand({
    name: 'completion',
    section: 'Set up',
    brief: 'Print the completion script for a shell',
    description:
      'Print the script that completes gza and git tasks. A line in what your shell reads when it starts loads it: ' +
      'eval "$(gza completion bash)", the same with zsh after compinit, gza completion fish | source. The first lines of ' +
      'each script say where it can be saved instead.',
    examples: ['completion bash', 'completion zsh', 'completion fish > ~/.config/fish/conf.d/gza.fish'],
    positional: { kind: 'tuple', parameters: [shellArgument] },
    loader: () => import('../commands/set-up/completion.ts'),
  }),
]
