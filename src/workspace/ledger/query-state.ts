import { compareText } from '../../core/ledger/canonical.ts'
import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { narrowViews, runQuery } from '../../state/index/run-query.ts'
import { type AgentView, agentsIn } from '../views/list-agents.ts'
import type { Workspace } from '../workspace.ts'
import type { LedgerView } from './ledger-view.ts'
import { readLedger, readLedgers } from './read-ledger.ts'

/** Answers an SQL query on the views `tasks` and `agents`, for this ledger or for all. Nothing can be written. */
export function queryState(
  ws: Workspace,
  sql: string,
  options: { allBranches?: boolean } = {},
): Record<string, unknown>[] {
  const views = options.allBranches ? readLedgers(ws) : [readLedger(ws)]
  refuseWrites(sql)
  refuseMore(sql)
  const agents = agentsOf(views).map((each) => ({
    ...each,
    id: each.agent,
    current_task: each.current_task?.number ?? null,
  }))
  narrowViews(
    ws.state,
    views.map(({ row }) => row.ledger),
    agents,
  )
  const answer = runQuery(ws.state, sql)
  if ('rows' in answer) return answer.rows
  throw new UserError('BAD_QUERY', answer.why, { hint: VIEWS, exitCode: 2 })
}

const VIEWS =
  'Views: tasks(id, parent_id, plan_file, project, branch, content, assigned_agent, completed_at, created_at, …), agents(id, status, current_task, client, heartbeat_at)'

/** Each agent once, with its first task in any of the ledgers. */
function agentsOf(views: readonly LedgerView[]): AgentView[] {
  const all = views.flatMap(agentsIn)
  const busyFirst = [...all.filter((agent) => agent.current_task !== null), ...all]
  return [...new Map(busyFirst.toReversed().map((each) => [each.agent, each])).values()].sort((a, b) =>
    compareText(a.agent, b.agent),
  )
}

/** SQLite would run the first statement and silently ignore the others. */
function refuseMore(sql: string): void {
  const bare = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
  if (!/;\s*[^\s;]/.test(bare)) return
  throw new UserError('BAD_QUERY', sentence`${command`query`} runs one statement at a time`, {
    hint: VIEWS,
    exitCode: 2,
  })
}

function refuseWrites(sql: string): void {
  const bare = sql.replace(/^(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '')
  if (/^(select|with|explain|values)\b/i.test(bare)) return
  throw new UserError(
    'READ_ONLY_QUERY',
    sentence`${command`query`} only reads: the statement must begin with SELECT or WITH`,
    {
      hint: command`query "SELECT id, content FROM tasks"`,
      exitCode: 2,
    },
  )
}
