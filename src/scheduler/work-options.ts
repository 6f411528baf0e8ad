import { configuredAgent } from '../agents/configured-agent.ts'
import type { Config } from '../core/config/settings.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { whyRootVisible } from '../engine/set-up/visible-root.ts'
import type { RunOptions } from '../runs/run-options.ts'
import { loadConfiguration } from '../workspace/config/configuration.ts'
import { assertTrusted } from '../workspace/config/trust-config.ts'
import { assertLegal } from '../workspace/legal/legal-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface WorkOptions extends RunOptions {
  refs: readonly string[]
  count?: number
  all?: boolean
  workers?: number
  /** False: agents start without a look at the base. */
  baseCheck?: boolean
  /** Work here, although the queue belongs to a fleet. */
  isLocal?: boolean
  /** When nothing can run, wait for paused agents and for a red base, at most that long. */
  wait?: boolean
  maxWaitMs?: number
}

/** How many tasks are worked on: those named or counted, all of them, otherwise the next one. */
export function taskLimit({ count, all, refs }: WorkOptions): number {
  return count ?? (all || refs.length > 0 ? Number.POSITIVE_INFINITY : 1)
}

/** How many tasks run at once. */
export function slotsOf({ workers }: WorkOptions, config: Config): number {
  return Math.max(1, workers ?? config.parallel_workers)
}

/**
 * The configuration for starting agents, after checking that what it runs is trusted and that the ledger is legal, and
 * the files that are not trusted.
 */
export async function configurationToWork(ws: Workspace): Promise<{ config: Config; untrusted: string[] }> {
  assertAllowed('work', ws.actor)
  const config = await loadConfiguration(ws)
  const untrusted = await assertTrusted(ws, config)
  assertLegal(ws)
  const visible = whyRootVisible(ws.repo, ws.env)
  if (visible !== null) throw visible
  // An unknown name is an error now, and not when the first agent reaches its limit.
  for (const name of config.fallback) configuredAgent(config, name)
  return { config, untrusted }
}
