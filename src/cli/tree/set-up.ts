import { defineCommand } from '../command.ts'
import { optional, toggle } from '../flags/flags.ts'
import { SHELLS } from '../flags/shells.ts'

const CLIENTS = ['claude', 'codex', 'opencode', 'gemini', 'qwen', 'copilot']
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
  brief: 'A setting, a section, or a name that several sections have',
  proposeCompletions: async () => (await import('../../core/config/known-keys.ts')).SHOWN_KEYS,
} as const

/** Commands that prepare a repository, a client or a shell. */
export const SET_UP_COMMANDS = [
  defineCommand({
    name: 'init',
    section: 'Set up',
    brief: 'Prepare this repository and write a gza.yaml for it (people only)',
    description:
      'Look at the project and write a gza.yaml: how work is checked, how worktrees are set up, which client works. gza ' +
      'shows the file first, asks before it writes and commits it, trusts it because gza wrote it, and runs the checks once ' +
      'on the base. A gza.yaml that exists keeps every line; only whole sections that it lacks are added. Without a ' +
      'terminal and without --yes, gza acts as with --bare. In both cases links to commits follow amend and rebase, and git status does ' +
      'not show .gza/.',
    examples: ['init', 'init --yes', 'init --bare'],
    flags: {
      yes: toggle('Write, commit and check without asking'),
      bare: toggle('Write no gza.yaml and run nothing'),
    },
    aliases: { y: 'yes' },
    loader: () => import('../commands/set-up/init.ts'),
  }),
  defineCommand({
    name: 'trust',
    section: 'Set up',
    brief: "Allow this repository's configuration to run commands (people only)",
    examples: ['trust', 'trust --show', 'trust --revoke'],
    flags: {
      show: toggle('Show what is trusted, and change nothing'),
      revoke: toggle('Revoke the trust'),
    },
    loader: () => import('../commands/set-up/trust.ts'),
  }),
  defineCommand({
    name: 'config',
    section: 'Set up',
    brief: 'Show every setting and its source',
    description:
      'Show every effective setting and its source: built in, your own file, .project-config.json or gza.yaml. KEY is one ' +
      'setting, a section, or a name that several sections have. For one type of task, use task_types.TYPE.',
    examples: ['config', 'config model', 'config verify', 'config task_types.review', 'config --schema'],
    flags: { schema: toggle('Print the JSON schema of gza.yaml instead') },
    positional: { kind: 'tuple', parameters: [optional(keyArgument)] },
    loader: () => import('../commands/set-up/config.ts'),
  }),
  defineCommand({
    name: 'notify',
    section: 'Set up',
    brief: 'Show how you are notified, or send a test (people only)',
    description:
      'Show how you are notified while agents work. The section `notify:` of your own configuration file says how: ' +
      'desktop, bell, a command that gets the message as JSON on standard input, or an address that it is posted to ' +
      '(as JSON, or in the form of ntfy or Slack). Several events within a minute are sent as one message.',
    examples: ['notify', 'notify --test'],
    flags: { test: toggle('Send a test message through every channel') },
    loader: () => import('../commands/set-up/notify.ts'),
  }),
  defineCommand({
    name: 'setup',
    section: 'Set up',
    brief: 'Start the sessions of a client with gza context, or with gza mcp (people only)',
    description:
      'Make every session of a client in this repository start with gza context: with a hook of the client (claude, ' +
      'gemini, qwen), or with a block in its instructions file, which is only a request (codex and opencode: AGENTS.md, ' +
      'copilot: .github/copilot-instructions.md). gza shows the change and asks before it writes. Nothing else in the file is ' +
      'changed, and --remove undoes the change. With --mcp the client starts the server for agents (gza mcp) instead. That is ' +
      'written to your own settings of the client, for all your projects, or with --project to a file of this project.',
    examples: ['setup claude', 'setup codex --yes', 'setup claude --mcp', 'setup gemini --mcp --project --remove'],
    flags: {
      mcp: toggle('Let the client start gza mcp, through your own settings'),
      project: toggle("With --mcp: through this project's settings"),
      remove: toggle('Undo the change'),
      yes: toggle('Make the change without asking'),
    },
    aliases: { y: 'yes' },
    positional: { kind: 'tuple', parameters: [clientArgument] },
    loader: () => import('../commands/set-up/setup.ts'),
  }),
  defineCommand({
    name: 'shell-init',
    section: 'Set up',
    brief: 'Print the line that adds `git log --tasks` and `git commit --prompt` to your shell',
    examples: ['shell-init', 'shell-init fish'],
    positional: { kind: 'tuple', parameters: [optional(shellArgument)] },
    loader: () => import('../commands/set-up/shell-init.ts'),
  }),
  defineCommand({
    name: 'completion',
    section: 'Set up',
    brief: 'Print the completion script for a shell',
    description:
      'Print the script that completes gza and git tasks. To load it, add one line to the startup file of your shell: ' +
      'eval "$(gza completion bash)" for bash, eval "$(gza completion zsh)" after compinit for zsh, gza completion fish | ' +
      'source for fish. The first lines of each script explain where it can be saved instead. Where a command takes a task, ' +
      'those are proposed that fit it: for merge finished ones that have not landed, for logs those with runs, for retry ' +
      'failed ones. fish and zsh show their titles. Type a digit for numbers; otherwise ids and keys are proposed.',
    examples: ['completion bash', 'completion zsh', 'completion fish > ~/.config/fish/conf.d/gza.fish'],
    positional: { kind: 'tuple', parameters: [shellArgument] },
    loader: () => import('../commands/set-up/completion.ts'),
  }),
]
