import { basename } from 'node:path'
import { detectActor } from '../../core/task/agent-mode.ts'
import { openGuardWindow } from '../../engine/guard/guard-window.ts'
import { endWatch, type IsVouched, startWatch } from '../../engine/guard/refs/watch-ledgers.ts'
import { endMarked, findMarked } from '../../engine/supervise/run-processes.ts'
import { ownExecutable } from '../../platform/files/scripts.ts'
import { refuseStoreLinks } from '../../platform/files/store-files.ts'
import { findRepo, type Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { readHead } from '../../platform/git/refs.ts'
import { endingSignals } from '../../platform/processes/ending-signals.ts'
import { type CommandEnd, exitCodeOfEnd, runInherited } from '../../platform/processes/run-inherited.ts'
import { thisWorker } from '../../runs/new-run.ts'
import { openLive } from '../../state/live/open-live.ts'
import { addGuard, dropGuard, endedGuards, rememberGone } from '../../state/live/supervisors.ts'
import { isMoveVouched } from '../../state/live/vouched-moves.ts'
import { isUnwritable } from '../../state/store-faults.ts'
import { maintain } from '../git-maintenance.ts'

export interface Guarded {
  /** The command's own exit code; 1 if it was 0 and a ledger was tampered with. */
  exitCode: number
  /** Why the command did not start, and forbidden changes of ledgers. */
  warnings: string[]
}

/** Runs a command as gza runs agents: under the guard, with every ledger compared before and after. Needs no ledger. */
export async function runGuarded(
  command: readonly string[],
  { cwd, env, clock }: { cwd: string; env: Env; clock: () => number },
): Promise<Guarded> {
  const repo = findRepo(cwd, env)
  const run = env.GZA_RUN || `guard-${crypto.randomUUID()}`
  const agent = agentName(command, env)
  const now = () => new Date(clock()).toISOString()
  const head = readHead(repo)
  const window = openGuardWindow({
    ...{ repo, env, binary: ownExecutable(), run, agent, kind: 'agent', now },
    ...{ cwd: repo.workTree ?? cwd, live: null, ledger: '', recorded: () => [], landing: () => [] },
    ...{ unlanded: () => new Set(), running: () => new Set(), landed: () => new Set() },
    name: `guard-${crypto.randomUUID()}`,
    own: head.kind === 'branch' ? { name: head.branch, from: null } : null,
  })
  const watch = startWatch(repo, run, now())
  const shown = env.GZA_RUN ? null : showGuard(repo, { run, holder: agent })
  const ending = listenForEnd()
  const end = await runInherited(command, {
    cwd,
    env: window.env,
    killAfterMs: GRACE_MS,
    ...(!env.GZA_RUN && { marker: run }),
  })
  // The run around this command ends its own processes.
  if (ending.hasCome() && !env.GZA_RUN) await endMarked(run)
  ending.release()
  const { tampering, putBack, changedRefs } = window.close()
  const incidents = [...endWatch(watch, now(), shown?.isVouched).map(({ text }) => text), ...tampering]
  shown?.forget()
  await maintain(repo)
  const exitCode = exitCodeOfEnd(end)
  return {
    exitCode: exitCode === 0 && incidents.length > 0 ? 1 : exitCode,
    warnings: [...whyNotStarted(command, end), ...incidents, ...putBack, ...changedRefs],
  }
}

/**
 * Makes this process known as the supervisor of the command, so that gza is in agent mode there even without any
 * variable, and stays so in what the command leaves running. Not where the repository cannot be written: nothing can be
 * changed there.
 */
function showGuard({ commonDir }: Repo, guard: { run: string; holder: string }): ShownGuard | null {
  return whereWritable(() => {
    const path = `${commonDir}/gza/live.db`
    refuseStoreLinks([`${commonDir}/gza`, path])
    const live = openLive(path)
    const worker = thisWorker()
    addGuard(live, { ...guard, ...worker })
    return {
      isVouched: (move) => whereWritable(() => isMoveVouched(live, move)) ?? false,
      forget: () => {
        whereWritable(() => {
          rememberGone(live, guard.run, worker.start_time)
          for (const run of [guard.run, ...endedGuards(live)]) if (findMarked(run).length === 0) dropGuard(live, run)
        })
        live.close()
      },
    }
  })
}

interface ShownGuard {
  isVouched: IsVouched
  forget(): void
}

/** The command may have removed the store. */
function whereWritable<T>(act: () => T): T | null {
  try {
    return act()
  } catch (error) {
    if (isUnwritable(error)) return null
    throw error
  }
}

/** How long the command may take to end after SIGTERM or SIGHUP. */
const GRACE_MS = 5000

/** Ctrl-C is left to the command: it may mean something else there. */
function listenForEnd(): { hasCome(): boolean; release(): void } {
  const signals = endingSignals().filter((signal) => signal !== 'SIGINT')
  let hasCome = false
  const come = () => {
    hasCome = true
  }
  for (const signal of signals) process.on(signal, come)
  return {
    hasCome: () => hasCome,
    release: () => {
      for (const signal of signals) process.off(signal, come)
    },
  }
}

function whyNotStarted([program = '']: readonly string[], end: CommandEnd): string[] {
  if (end.kind === 'missing') return [`${program}: no such command`]
  return end.kind === 'forbidden' ? [`${program}: it is not executable`] : []
}

/** Clients whose name differs from that of their program. */
const CLIENTS: Record<string, string> = { claude: 'claude-code', 'cursor-agent': 'cursor' }
const PROGRAMS = ['codex', 'opencode', 'gemini', 'qwen', 'copilot', 'amp', 'goose', 'aider']

/**
 * The name of the guarded agent: the current agent, otherwise the client that the command starts, otherwise "agent".
 */
function agentName([program = '']: readonly string[], env: Env): string {
  const outer = detectActor(env, () => '')
  if (outer.mode === 'agent') return outer.name
  const name = basename(program)
  return CLIENTS[name] ?? (PROGRAMS.includes(name) ? name : 'agent')
}
