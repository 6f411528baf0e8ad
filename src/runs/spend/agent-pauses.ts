/**
 * An agent that reached a usage limit is paused until the reset, in every repository of the person. The pause applies to
 * the account that the limit belongs to, or only to one model of it.
 */
import { accountOf } from '../../agents/account-of.ts'
import type { Agent } from '../../agents/agent.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import {
  dropPauses,
  liftPauses,
  type Pause,
  type PauseKey,
  pausesAfter,
  pausesOf,
  setPause,
} from '../../state/account/pauses.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readAccount, writeAccount } from './account.ts'

type Clocked = Pick<Workspace, 'env' | 'clock'>

/** An agent as a run calls it. */
export interface Caller {
  agent: Agent
  /** Null: the client's own choice. */
  model: string | null
}

export function pausedUntil(ws: Clocked, caller: Caller): string | null {
  const until = lastPause(ws, caller)
  return until !== null && until > nowOf(ws) ? until : null
}

/** The last known end of a pause, over or not. */
export function lastPause({ env }: Clocked, caller: Caller): string | null {
  return readAccount(env, null, (account) => pausesOf(account, keyOf(env, caller)).at(-1)?.until ?? null)
}

/** Its account works, so pauses that are over can be deleted. */
export function forgetPauses(ws: Clocked, agent: string): void {
  if (!readAccount(ws.env, false, () => true)) return
  writeAccount(ws.env, (account) => dropPauses(account, agent, nowOf(ws)))
}

export interface Limit {
  resetsAt: string | null
  /** Other models of the account still answer. */
  ofModel?: boolean
}

export function pauseAgent(ws: Clocked, caller: Caller, { resetsAt, ofModel = false }: Limit): void {
  const key = keyOf(ws.env, caller)
  const paused = ofModel ? key : { ...key, model: '' }
  writeAccount(ws.env, (account) => {
    const known = pausesOf(account, paused)
    if (resetsAt !== null && known.some(({ until }) => until >= resetsAt)) return
    const last = known.find(({ model }) => model === paused.model)
    const guesses = resetsAt === null ? (last?.guesses ?? 0) + 1 : 0
    setPause(account, { ...paused, until: resetsAt ?? guessedReset(ws.clock(), guesses), guesses })
  })
}

/** Minutes until the next try, if the client reports no reset time. The last one is repeated. */
const GUESSES = [15, 30, 60]

function guessedReset(now: number, guesses: number): string {
  const minutes = GUESSES[Math.min(guesses, GUESSES.length) - 1] ?? 0
  return new Date(now + minutes * 60_000).toISOString()
}

/** What is paused now, by agent. */
export function listPauses(ws: Clocked): Pause[] {
  return readAccount(ws.env, [], (account) => pausesAfter(account, nowOf(ws)))
}

/** A person lifts the pauses of an agent. Returns those that were not over. */
export function resumeAgent(ws: Workspace, agent: string): Pause[] {
  assertAllowed('agents resume', ws.actor)
  let lifted: Pause[] = []
  if (listPauses(ws).some((pause) => pause.agent === agent))
    writeAccount(ws.env, (account) => {
      lifted = liftPauses(account, agent, nowOf(ws))
    })
  return lifted
}

/** The name of the model that a client chooses by itself. */
const CHOSEN_BY_CLIENT = '(default)'

function keyOf(env: Clocked['env'], { agent, model }: Caller): PauseKey {
  return { agent: agent.name, account: accountOf(agent, env), model: model ?? CHOSEN_BY_CLIENT }
}

function nowOf({ clock }: Clocked): string {
  return new Date(clock()).toISOString()
}
