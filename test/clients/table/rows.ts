import { isBox, type Level } from '../../../src/core/isolation/levels.ts'
import { CLIENTS } from '../clients.ts'

/** The rows of the table in docs/clients.md, which `npm run test:agents` makes. */
export const ROWS = {
  work: 'works and commits: the task is completed, its session is recorded',
  tokens: 'tokens, and the cost where the client knows prices, are recorded, also for a resumed session',
  setup: 'reads what `gza setup` has put in at the start of a session',
  tools: 'closes its first task with the tools of `gza mcp` that are listed to it, in a session that a person starts',
  commands:
    'closes its first task with the commands that it finds in its instructions, in a session that a person starts',
  review: 'as a reviewer tries to write, with its own tool and in a shell, and to commit: nothing changes',
  planted: 'as a reviewer executes nothing that the judged commit carries as client configuration',
  broker: 'calls `note`, `add` and `done` of `git tasks` while it works',
  improve: 'improves its work after a review, in a fresh context, and approves of it',
  branch: "deletes a person's branch: the branch stays",
  paths: 'reads and writes outside of its worktree, as its shell may',
  denied: "a call that a person's settings deny is denied in the log, and the next attempt learns of it",
  login: 'refused login: no task fails, and nothing is tried again',
  limitReset: 'usage limit with a reset: paused until then, no attempt lost',
  limit: 'usage limit without a reset: paused for a while, no attempt lost',
  recovery: 'a limit that the client recovers from does not count as one',
  busy: 'a service that answers 429 for a while delays the task',
  broken: 'a service that answers 500 for a while delays the task',
  turns: 'stopped at the limit of turns',
  cost: 'stopped at the limit of cost',
  stopped: '`gza kill` during a tool call: no process is left, the work is kept',
  interrupted: 'Ctrl-C, twice, during a tool call: no process is left, the work is kept',
  killed: '`kill -9` of gza: `gza ps` shows what still runs, the next gza ends it and keeps the work',
  resumed: '`gza retry` continues the session',
  lost: 'a session that is gone: a fresh start, no attempt lost',
  strict: 'works and continues its session with a home folder that is read-only (`isolation: strict`)',
  sandbox: 'works with its own sandbox on',
} as const

export type Row = keyof typeof ROWS
export type ClientName = keyof typeof CLIENTS

/** What a client does not have, so that there is nothing to test. docs/clients.md says why. */
export const LACKING: Partial<Record<Row, readonly ClientName[]>> = {
  turns: ['codex'],
  cost: ['codex', 'gemini', 'qwen', 'copilot'],
  sandbox: ['claude', 'opencode', 'gemini', 'qwen', 'copilot'],
}

export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[]

export function lacks(client: ClientName, row: Row): boolean {
  return LACKING[row]?.includes(client) ?? false
}

/** The client's own sandbox needs a box, and only `none` cannot make a home folder read-only. */
export function isForLevel(row: Row, level: Level): boolean {
  if (row === 'sandbox') return isBox(level)
  return row !== 'strict' || level !== 'none'
}
