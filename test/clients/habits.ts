import type { CLIENTS } from './clients.ts'
import { ANTHROPIC, CHATGPT, GITHUB, GOOGLE, type LimitAnswers, OPENAI } from './limit-answers.ts'

/** How one client differs from the others in what gza can see of it. */
export interface Habits {
  /** What it reports as the cost of two answers; most report nothing. */
  costUsd: number
  /** Time enough for a run on a slow machine. Codex gives up by itself after half a minute, the others after minutes. */
  minutes: number
  /** It says nothing about a usage limit without a reset for minutes: gza reads it in the session's file. */
  isSilentAtLimits?: true
  /** What its model reads of `gza setup`. */
  setUp: string
  /** What of a checkout's client configuration it executes while it works; a reviewer executes none of it. */
  executes: readonly string[]
  /** Files below its home that deny `touch`; settings of its home that are there already are in them. */
  deny: Readonly<Record<string, string>>
  /** How its provider refuses at a usage limit. */
  limit: LimitAnswers
}

export const HABITS: Record<keyof typeof CLIENTS, Habits> = {
  claude: {
    costUsd: 0.0012,
    minutes: 0.3,
    setUp: 'Current Tasks',
    executes: ['claude-hook', 'claude-prompt-hook', 'mcp-server'],
    deny: { '.claude/settings.json': JSON.stringify({ permissions: { deny: ['Bash(touch:*)'] } }) },
    limit: ANTHROPIC,
  },
  codex: {
    costUsd: 0,
    minutes: 1.5,
    setUp: 'Begin every session with',
    executes: ['codex-server'],
    deny: { '.codex/rules/default.rules': 'prefix_rule(pattern=["touch"], decision="forbidden")\n' },
    limit: CHATGPT,
  },
  opencode: {
    costUsd: 0.0009,
    minutes: 1,
    setUp: 'Begin every session with',
    executes: ['opencode-plugin', 'opencode-server'],
    deny: { '.config/opencode/opencode.json': JSON.stringify({ permission: { bash: { 'touch *': 'deny' } } }) },
    limit: OPENAI,
  },
  gemini: {
    costUsd: 0,
    minutes: 0.7,
    setUp: 'Current Tasks',
    executes: ['gemini-agent-hook', 'gemini-hook', 'gemini-server'],
    deny: {
      '.gemini/policies/deny.toml':
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"\npriority = 999\n',
    },
    limit: GOOGLE,
  },
  qwen: {
    costUsd: 0,
    minutes: 1,
    isSilentAtLimits: true,
    setUp: 'Current Tasks',
    executes: ['qwen-hook', 'qwen-prompt-hook', 'qwen-server'],
    deny: {
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        permissions: { deny: ['Bash(touch *)'] },
      }),
    },
    limit: OPENAI,
  },
  copilot: {
    costUsd: 0,
    minutes: 1.5,
    setUp: 'Begin every session with',
    executes: ['claude-hook', 'claude-prompt-hook', 'copilot-hook', 'copilot-settings-hook', 'mcp-server'],
    // It has no setting for that, but asks a hook.
    deny: {
      '.copilot/hooks/deny.json': JSON.stringify({
        version: 1,
        hooks: { preToolUse: [{ type: 'command', bash: `echo '{"permissionDecision":"deny"}'` }] },
      }),
    },
    limit: GITHUB,
  },
}
