import { compareText } from '../../core/ledger/canonical.ts'
import { phasesInTime } from '../../core/run/review-cycles.ts'
import { isCostUnknown } from '../../core/run/run-rules.ts'
import { amount } from '../../core/run/run-totals.ts'
import type { Phase, Run, Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { type PhaseRecord, readPhaseRecords } from '../../engine/log/phase-records.ts'
import { type LiveRun, runsOf } from '../../state/live/live-runs.ts'
import { findTask } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** One attempt at a task. What is not known is null. */
export interface TimelineRun {
  run: string
  attempt: number
  agent: string | null
  machine: string | null
  started_at: string
  ended_at: string | null
  /** `running` until it has ended. */
  outcome: string
  reason: string | null
  detail: string | null
  /** The commit at which it ended. */
  head: string | null
  tokens_in: number | null
  tokens_out: number | null
  cost_usd: number | null
  turns: number | null
  phases: TimelinePhase[]
}

/** One call of an agent, one run of the checks, or what the ledger says of a phase that ran elsewhere. */
export interface TimelinePhase {
  phase: string
  agent: string | null
  model: string | null
  started_at: string | null
  ended_at: string | null
  tokens_in: number | null
  tokens_out: number | null
  cost_usd: number | null
  turns: number | null
  failure: string | null
  /** Names its prompt for `readPrompt`; null: it is not stored here. */
  prompt: string | null
  /** Set for the checks. */
  check: { commit: string; ok: boolean; steps: { name: string; ok: boolean; ms: number; output: string }[] } | null
  verdict: string | null
  summary: string | null
}

/** The runs of a task with their phases, the newest first. */
export function readTimeline(ws: Workspace, ref: string): TimelineRun[] {
  const task = findTask(readLedger(ws), ref)
  const live = ws.live === null ? [] : runsOf(ws.live, task.uid)
  const runs = task.runs.map((run) => timelineRun(ws, task, run, live.find((each) => each.run === run.run) ?? null))
  return runs.sort((a, b) => compareText(b.started_at, a.started_at) || b.attempt - a.attempt)
}

export interface PastPrompt {
  run: string
  phase: string
  at: string
  agent: string
  prompt: string
}

/** Exactly what an agent was given. `name` is one of a timeline. */
export function readPrompt(ws: Workspace, ref: string, name: string): PastPrompt {
  const task = findTask(readLedger(ws), ref)
  const [, run = '', at = ''] = /^(.+)\.(\d+)$/.exec(name) ?? []
  const isOwn = task.runs.some((each) => each.run === run)
  const record = isOwn ? readPhaseRecords(ws.repo, run)[Number(at)] : undefined
  if (record?.kind !== 'call')
    throw new UserError('PROMPT_NOT_FOUND', `No prompt of ${task.id} is stored here under the name ${name}`)
  return { run, phase: record.phase, at: record.at, agent: record.agent, prompt: record.prompt }
}

function timelineRun(ws: Workspace, task: Task, run: Run, live: LiveRun | null): TimelineRun {
  const records = readPhaseRecords(ws.repo, run.run)
  const own = phasesInTime(task.phases).filter((phase) => phase.run === run.run)
  const isRunning = run.ended_at === undefined
  const spent = isRunning && live !== null ? live : run
  return {
    ...{ run: run.run, attempt: run.attempt, agent: text(run.agent), machine: text(run.machine) },
    ...{ started_at: run.started_at, ended_at: run.ended_at ?? null, outcome: run.outcome ?? 'running' },
    ...{ reason: text(run.reason), detail: text(run.detail), head: text(run.head) },
    ...spentIn({ ...spent, reason: text(run.reason) }),
    phases: records.length === 0 ? own.map(ledgerPhase) : recordedPhases(run, records, own, isRunning),
  }
}

interface Spent {
  tokens_in?: unknown
  tokens_out?: unknown
  cost_usd?: unknown
  turns?: unknown
  reason?: string | null
}

/** A client that reports nothing has not worked for nothing: its cost is unknown. */
function spentIn({ tokens_in, tokens_out, cost_usd, turns, reason }: Spent) {
  const costUsd = amount(cost_usd)
  const isUnknown = isCostUnknown({ costUsd, tokensOut: amount(tokens_out), reason: reason ?? undefined })
  return {
    tokens_in: amount(tokens_in) || null,
    tokens_out: amount(tokens_out) || null,
    cost_usd: isUnknown ? null : costUsd,
    turns: amount(turns) || null,
  }
}

const NOTHING_KNOWN = {
  ...{ agent: null, model: null, started_at: null, ended_at: null, tokens_in: null, tokens_out: null },
  ...{ cost_usd: null, turns: null, failure: null, prompt: null, check: null, verdict: null, summary: null },
}

/** Of a run in another clone only the ends of its successful phases are known. */
function ledgerPhase(phase: Phase): TimelinePhase {
  return { ...NOTHING_KNOWN, phase: nameOf(phase), agent: text(phase.agent), ended_at: phase.at, ...judged(phase) }
}

function nameOf({ phase, cycle }: Phase): string {
  return cycle === 0 ? phase : `${phase} ${cycle}`
}

function judged({ verdict, summary }: Phase): Pick<TimelinePhase, 'verdict' | 'summary'> {
  return { verdict: verdict ?? null, summary: summary ?? null }
}

/** A call without its end was cut off, or is under way. */
function recordedPhases(
  { run, ended_at }: Run,
  records: readonly PhaseRecord[],
  own: readonly Phase[],
  isRunning: boolean,
): TimelinePhase[] {
  const reviews = own.filter(({ phase }) => phase === 'review')
  const phases: TimelinePhase[] = []
  for (const [at, record] of records.entries()) {
    if (record.kind === 'checked') phases.push(checkPhase(record))
    if (record.kind !== 'call') continue
    const end = records.slice(at + 1).find(({ kind }) => kind !== 'checked')
    const called = end?.kind === 'called' ? end : null
    const { phase, agent, model } = record
    // A reviewer may be asked once more for its verdict: the last of its calls has it.
    const next = records.slice(at + 1).find(({ kind }) => kind === 'call')
    const isJudging = phase === 'review' && called?.failure === null && next?.phase !== 'review'
    const review = isJudging ? reviews.shift() : undefined
    phases.push({
      ...NOTHING_KNOWN,
      ...{ phase: review === undefined ? phase : nameOf(review), agent, model, started_at: record.at },
      ended_at: called?.at ?? (isRunning ? null : (ended_at ?? null)),
      ...(called && { ...spentIn(called), failure: called.failure }),
      prompt: `${run}.${at}`,
      ...(review && judged(review)),
    })
  }
  return phases
}

function checkPhase({ at, phase, commit, ok, steps }: Extract<PhaseRecord, { kind: 'checked' }>): TimelinePhase {
  const ms = steps.reduce((sum, step) => sum + step.ms, 0)
  const started_at = new Date(Date.parse(at) - ms).toISOString()
  return { ...NOTHING_KNOWN, phase, started_at, ended_at: at, check: { commit, ok, steps } }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
