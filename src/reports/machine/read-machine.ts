import { listPauses } from '../../runs/spend/agent-pauses.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { type AgentView, agentsIn } from '../../workspace/views/list-agents.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type ClientView, listClients } from './list-clients.ts'
import { type HolderView, listHolders } from './list-holders.ts'
import { type WorktreeView, worktreesOf } from './list-worktrees.ts'

/** Who can work on this machine, who works, and where. */
export interface Machine {
  clients: ClientView[]
  agents: AgentView[]
  pauses: PauseView[]
  holders: HolderView[]
  worktrees: WorktreeView[]
}

interface PauseView {
  agent: string
  /** Null: all models of the account. */
  model: string | null
  until: string
  /** The client did not report the end. */
  isGuessed: boolean
}

export async function readMachine(ws: Workspace): Promise<Machine> {
  const clients = await listClients(ws)
  const view = readLedger(ws)
  const holders = listHolders(view)
  return {
    ...{ clients, agents: agentsIn(view), holders, worktrees: worktreesOf(ws, holders) },
    pauses: listPauses(ws).map(({ agent, model, until, guesses }) => ({
      ...{ agent, model: model === '' ? null : model, until, isGuessed: guesses > 0 },
    })),
  }
}
