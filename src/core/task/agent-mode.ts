import { UserError } from '../user-error.ts'
import type { Mode } from './task.ts'

export interface Actor {
  name: string
  mode: Mode
  /** The environment variable that told it, or `git` for a person. */
  source: string
}

/**
 * Who is acting: an agent that says so, an agent known by what its client leaves in the environment, or a person.
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
 * What clients set for the commands they run, first match first; null takes the variable's value as the name.
 * Amp stands before Claude Code because it sets CLAUDECODE too.
 *
 * Left out on purpose, because people set them or whole editors carry them: CODEX_HOME, COPILOT_MODEL, OPENCODE_CONFIG,
 * GOOSE_PROVIDER, AIDER_*, CURSOR_TRACE_ID, REPL_ID, TERM_PROGRAM. Aider leaves no marker of its own.
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
]

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false'
}

const NOTE_INSTEAD = 'git tasks note ID "…"'
const ASK_A_PERSON = 'Leave it to a person; git tasks note ID "…" tells them why it is needed.'

/** What only people do, and why. */
const PEOPLE_ONLY = {
  edit: ['a task does not change once it is filed', NOTE_INSTEAD],
  'import --update': ['a task does not change once it is filed', NOTE_INSTEAD],
  'todo link': ['a task does not change once it is filed', NOTE_INSTEAD],
  'plan import --update': ['a task does not change once it is filed', NOTE_INSTEAD],
  delete: ['a task does not vanish once it is filed', NOTE_INSTEAD],
  verdict: ['a verdict is a reviewer’s or a person’s', NOTE_INSTEAD],
  undo: ['a change stays in the record once it is made', NOTE_INSTEAD],
  run: ['people start agents', ASK_A_PERSON],
  work: ['people start agents', ASK_A_PERSON],
  merge: ['people decide what lands', ASK_A_PERSON],
  resolve: ['people resolve what waits for a person', ASK_A_PERSON],
  sync: ['agents do not push', ASK_A_PERSON],
  'pr --create': ['agents do not push', ASK_A_PERSON],
  'pr --update': ['people speak for the repository', ASK_A_PERSON],
  'linear sync': ['people speak to other systems', ASK_A_PERSON],
  prune: ['people archive ledgers', ASK_A_PERSON],
  archive: ['people put tasks away', ASK_A_PERSON],
  setup: ['people decide what their clients are told', ASK_A_PERSON],
  trust: ['people decide what they trust', ASK_A_PERSON],
} as const

/** Throws AGENT_MODE where an agent calls a command that only people may. */
export function assertAllowed(command: string, actor: { mode: Mode; source?: string }): void {
  if (actor.mode === 'human' || !Object.hasOwn(PEOPLE_ONLY, command)) return
  const [why, hint] = PEOPLE_ONLY[command as keyof typeof PEOPLE_ONLY]
  const told = actor.source === undefined ? '' : ` (${actor.source} is set)`
  throw new UserError('AGENT_MODE', `${command} is blocked in agent mode${told}: ${why}`, { hint })
}
