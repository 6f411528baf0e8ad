import { UserError } from '../user-error.ts'
import type { Mode } from './task.ts'

export interface Actor {
  name: string
  mode: Mode
  /** The environment variable that identified the agent, `run` for a process of a run, or `git` for a person. */
  source: string
}

/**
 * The actor: an agent that identifies itself, an agent recognised by the variables that its client sets, or a person.
 * The name becomes `created_by`.
 */
export function detectActor(env: Record<string, string | undefined>, gitUserName: () => string): Actor {
  for (const source of DECLARED) {
    const value = env[source]
    if (value) return { name: value.trim() || 'agent', mode: 'agent', source }
  }
  for (const [source, client] of MARKERS) {
    const value = env[source]
    if (isSet(value)) return { name: client ?? value, mode: 'agent', source }
  }
  return { name: gitUserName(), mode: 'human', source: 'git' }
}

const DECLARED = ['GZA_AGENT', 'ZAGI_AGENT']

/**
 * What clients set for the commands they run, first match first; null takes the variable's value as the name. Amp comes
 * before Claude Code because it sets CLAUDECODE too.
 *
 * Left out on purpose, because people set them or whole editors carry them: CODEX_HOME, COPILOT_MODEL, OPENCODE_CONFIG,
 * GOOSE_PROVIDER, AIDER_*, CURSOR_TRACE_ID, REPL_ID, TERM_PROGRAM. Aider sets no variable of its own.
 */
const MARKERS: [variable: string, client: string | null][] = [
  ['AMP_CURRENT_THREAD_ID', 'amp'],
  ['CLAUDECODE', 'claude-code'],
  ['CLAUDE_CODE_ENTRYPOINT', 'claude-code'],
  ['CODEX_THREAD_ID', 'codex'],
  ['CODEX_SANDBOX', 'codex'],
  ['CODEX_SANDBOX_NETWORK_DISABLED', 'codex'],
  ['CODEX_CI', 'codex'],
  ['OPENCODE', 'opencode'],
  ['GEMINI_CLI', 'gemini'],
  ['QWEN_CODE', 'qwen'],
  ['COPILOT_CLI', 'copilot'],
  ['CURSOR_AGENT', 'cursor'],
  ['GOOSE_TERMINAL', 'goose'],
  ['AUGMENT_AGENT', 'auggie'],
  ['CLINE_ACTIVE', 'cline'],
  ['AI_AGENT', null],
  // Set by gza around every agent that it starts. The agent's name is gone, its mode is not.
  ['GZA_GUARD', 'agent'],
]

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false'
}

/** Which agent it is whose client introduces itself over a protocol: `codex-mcp-client` is codex. */
export function agentNameOf(client: string): string {
  const words = client.toLowerCase()
  const [, known] = CLIENTS.find(([word]) => words.includes(word)) ?? []
  return (
    known ??
    (words
      .replace(/[^a-z0-9.]+/g, '-')
      .replace(/^[^a-z]+|-+$/g, '')
      .slice(0, LONGEST) ||
      'agent')
  )
}

/** By a word of their own names, and as agent mode names them by their variables. Qwen is made from Gemini. */
const CLIENTS: readonly [word: string, agent: string][] = [
  ['claude', 'claude-code'],
  ['codex', 'codex'],
  ['opencode', 'opencode'],
  ['qwen', 'qwen'],
  ['gemini', 'gemini'],
  ['copilot', 'copilot'],
]

const LONGEST = 40

const NOTE_INSTEAD = 'git tasks note ID "…"'
const ASK_A_PERSON = 'Leave it to a person; explain why it is needed with git tasks note ID "…".'

/** The commands that only people may use, and why. */
const PEOPLE_ONLY = {
  edit: ['a task does not change once it is filed', NOTE_INSTEAD],
  'import --update': ['a task does not change once it is filed', NOTE_INSTEAD],
  'todo link': ['a task does not change once it is filed', NOTE_INSTEAD],
  'plan import --update': ['a task does not change once it is filed', NOTE_INSTEAD],
  delete: ['a task is not removed once it is filed', NOTE_INSTEAD],
  move: ['only people decide where a task belongs', NOTE_INSTEAD],
  verdict: ['only reviewers and people give verdicts', NOTE_INSTEAD],
  undo: ['a change stays in the record once it is made', NOTE_INSTEAD],
  redo: ['a change stays in the record once it is made', NOTE_INSTEAD],
  restore: ['people decide which tasks there are', NOTE_INSTEAD],
  run: ['only people start agents', ASK_A_PERSON],
  work: ['only people start agents', ASK_A_PERSON],
  merge: ['people decide what lands', ASK_A_PERSON],
  answer: ['only people answer questions', ASK_A_PERSON],
  resolve: ['only people resolve what needs a person', ASK_A_PERSON],
  sync: ['agents do not push', ASK_A_PERSON],
  'pr --create': ['agents do not push', ASK_A_PERSON],
  'pr --update': ['only people write to pull requests', ASK_A_PERSON],
  'linear sync': ['only people write to other systems', ASK_A_PERSON],
  'verify --accept': ['people decide what they accept', ASK_A_PERSON],
  prune: ['only people archive ledgers', ASK_A_PERSON],
  archive: ['only people archive tasks', ASK_A_PERSON],
  'agents resume': ['people decide when an agent is called again', ASK_A_PERSON],
  init: ['people decide how a repository is set up', ASK_A_PERSON],
  setup: ['people decide how their clients are set up', ASK_A_PERSON],
  notify: ['only people send themselves notifications', ASK_A_PERSON],
  trust: ['people decide what they trust', ASK_A_PERSON],
} as const

/** Throws AGENT_MODE if an agent calls a command that is only for people. */
export function assertAllowed(command: string, actor: { mode: Mode; source?: string; run?: string }): void {
  if (actor.mode === 'human' || !Object.hasOwn(PEOPLE_ONLY, command)) return
  const [why, hint] = PEOPLE_ONLY[command as keyof typeof PEOPLE_ONLY]
  const marker = actor.source === undefined ? '' : ` (${whyAgent(actor.source, actor.run)})`
  throw new UserError('AGENT_MODE', `${command} is blocked in agent mode${marker}: ${why}`, { hint })
}

function whyAgent(source: string, run = ''): string {
  return source === 'run' ? `inside run ${run}` : `${source} is set`
}
