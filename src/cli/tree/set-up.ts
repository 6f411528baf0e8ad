import { defineCommand } from '../command.ts'
import { optional, toggle } from '../flags/flags.ts'
import { SHELLS } from '../flags/shells.ts'

const CLIENTS = ['claude', 'codex', 'opencode', 'gemini', 'copilot']
const clientArgument = {
  parse: String,
  placeholder: 'CLIENT',
  brief: `One of ${CLIENTS.join(', ')}`,
  proposeCompletions: () => CLIENTS,
} as const

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

/** Commands that prepare a repository, a client or a shell. */
export const SET_UP_COMMANDS = [
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
    name: 'setup',
    section: 'Set up',
    brief: 'Let the sessions of a client begin with gza context (people only)',
    description:
      'Let every session of a client in this repository begin with gza context: as its own hook (claude, gemini), or as a ' +
      'block in the file of instructions it reads (codex and opencode: AGENTS.md, copilot: .github/copilot-instructions.md). ' +
      'The change is shown first, and made once you agree. Nothing else in the file is touched, and --remove takes it out.',
    examples: ['setup claude', 'setup codex --yes', 'setup gemini --remove'],
    flags: {
      remove: toggle('Take it out again'),
      yes: toggle('Make the change without asking'),
    },
    aliases: { y: 'yes' },
    positional: { kind: 'tuple', parameters: [clientArgument] },
    loader: () => import('../commands/set-up/setup.ts'),
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
