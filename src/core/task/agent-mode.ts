import { command, type Sentence, sentence } from '../sentence.ts'
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

// Made only when they are needed: every command loads this file.
const ADD_TO_IT = () => sentence`Add to it: ${command`note ID "…"`}. What else there is to do: ${command`add "…"`}`
const TAKE_IT_YOURSELF = () => sentence`Take a task yourself: ${command`claim --next`}`
const EXPLAIN = () => sentence`Leave it to a person; explain why it is needed: ${command`note ID "…"`}`
const LOOK_YOURSELF = () => sentence`Look at the tasks: ${command`context`}, ${command`list`}, ${command`show ID`}`
const COMMIT_AND_CLOSE = () => sentence`Commit your work and close the task: ${command`done ID`}. People do the rest.`
const READ_IT = () =>
  sentence`Read it: ${command`show ID`}. Leave it to a person; explain why it is needed: ${command`note ID "…"`}`

const STARTS_AGENTS = ['only people start agents', TAKE_IT_YOURSELF] as const

/** The commands that only people may use, why, and what an agent may do instead. */
const PEOPLE_ONLY: Readonly<Record<string, readonly [why: string, instead: () => Sentence]>> = {
  edit: ['a task does not change once it is filed', ADD_TO_IT],
  'import --update': ['a task does not change once it is filed', ADD_TO_IT],
  'todo link': ['a task does not change once it is filed', ADD_TO_IT],
  'plan import --update': ['a task does not change once it is filed', ADD_TO_IT],
  delete: ['a task is not removed once it is filed', EXPLAIN],
  move: ['only people decide where a task belongs', EXPLAIN],
  verdict: ['only reviewers and people give verdicts', EXPLAIN],
  undo: ['a change stays in the record once it is made', ADD_TO_IT],
  redo: ['a change stays in the record once it is made', ADD_TO_IT],
  restore: ['people decide which tasks there are', EXPLAIN],
  run: STARTS_AGENTS,
  work: STARTS_AGENTS,
  fleet: STARTS_AGENTS,
  retry: STARTS_AGENTS,
  review: STARTS_AGENTS,
  improve: STARTS_AGENTS,
  kill: ['only people end runs', EXPLAIN],
  merge: ['people decide what lands', COMMIT_AND_CLOSE],
  answer: ['only people answer questions', READ_IT],
  resolve: ['only people resolve what needs a person', READ_IT],
  sync: ['agents do not push', COMMIT_AND_CLOSE],
  'pr --create': ['agents do not push', COMMIT_AND_CLOSE],
  'pr --update': ['only people write to pull requests', COMMIT_AND_CLOSE],
  'linear sync': ['only people write to other systems', EXPLAIN],
  'verify --accept': ['people decide what they accept', EXPLAIN],
  prune: ['only people archive ledgers', EXPLAIN],
  archive: ['only people archive tasks', EXPLAIN],
  'agents resume': ['people decide when an agent is called again', EXPLAIN],
  init: ['people decide how a repository is set up', EXPLAIN],
  setup: ['people decide how their clients are set up', EXPLAIN],
  notify: ['only people send themselves notifications', EXPLAIN],
  trust: ['people decide what they trust', EXPLAIN],
  web: ['only people use the page', LOOK_YOURSELF],
}

/** Refused to agents by the use case itself. */
const ALSO_FOR_PEOPLE = ['claim --take-over']
/** A run has one task. */
const NOT_IN_RUNS = ['claim', 'release', 'assign']

/** Whether this command line, as words without the program's name, would be refused to an agent. */
export function isForPeople(words: readonly string[], isInRun: boolean): boolean {
  const refused = [...Object.keys(PEOPLE_ONLY), ...ALSO_FOR_PEOPLE, ...(isInRun ? NOT_IN_RUNS : [])]
  return refused.some((line) =>
    line.split(' ').every((word, at) => (at === 0 ? words[0] === word : words.includes(word))),
  )
}

/** Throws AGENT_MODE if an agent calls a command that is only for people. */
export function assertAllowed(name: string, actor: { mode: Mode; source?: string; run?: string }): void {
  const refusal = Object.hasOwn(PEOPLE_ONLY, name) ? PEOPLE_ONLY[name] : undefined
  if (actor.mode === 'human' || refusal === undefined) return
  const [why, instead] = refusal
  const marker = actor.source === undefined ? '' : ` (${whyAgent(actor.source, actor.run)})`
  throw new UserError('AGENT_MODE', `${name} is blocked in agent mode${marker}: ${why}`, { hint: instead() })
}

function whyAgent(source: string, run = ''): string {
  return source === 'run' ? `inside run ${run}` : `${source} is set`
}
