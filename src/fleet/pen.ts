/**
 * Writes the facts of all workers into the remote's ledger, in groups. Two pens at once are harmless: each push names what
 * it expects of every ref. What was pushed and not answered is found in the ledger when it is decided again.
 */
import { decideFacts, type FactAnswer, type FleetFact } from '../core/fleet/decide-facts.ts'
import { parseTrustedLine } from '../core/ledger/written-task.ts'
import type { Task } from '../core/task/task.ts'
import { numbersOf, renumber } from '../core/task/task-ids.ts'
import { readRef, swapRefs } from '../platform/git/refs.ts'
import { openChildren } from '../runs/workable.ts'
import type { FleetDatabase } from '../state/fleet/connect-fleet.ts'
import { answerFacts, type OutboxRow, unansweredFacts } from '../state/fleet/outbox.ts'
import { entryWithId } from '../state/index/find-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { claimsOn } from '../state/index/sync/all-ledgers.ts'
import { readMembership } from '../workspace/fleet/fleet-membership.ts'
import { type FactRequest, FOLLOWED } from '../workspace/fleet/record-in-fleet.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { alsoFor, ledgerRef, type Workspace } from '../workspace/workspace.ts'
import { fetchForPen, pushTogether, type RefMove } from './remote-calls.ts'

/** What a worker gives to the outbox. */
export interface FactPayload extends Omit<FactRequest, 'kind' | 'run' | 'work'> {
  generation: number
  /** The work of the run. `from`: where the task's branch was when the run began. */
  work: { branch: string; head: string; from: string | null } | null
}

export type PenAnswer = { accepted: true } | { refused: string }

interface Pen {
  ws: Workspace
  db: FleetDatabase
  fleet: string
  report: (sentence: string) => void
}

type Row = OutboxRow<FactPayload>

/** How often a push that others were faster than is tried again, before the lease is looked at again. */
const TRIES = 10

/** Writes one group. Returns whether there was one, and null if the remote is away: it waits. */
export async function writeFacts(pen: Pen): Promise<boolean | null> {
  const rows = await unansweredFacts<FactPayload>(pen.db, pen.fleet)
  if (rows.length === 0) return false
  const refused = new Map<string, string>()
  for (let tries = 0; tries < TRIES; tries++) {
    const wanted = rows.filter(({ id }) => !refused.has(id))
    const end = await writeGroup(pen, wanted)
    if (end === null) return null
    if (end.kind === 'written') {
      const answers = new Map<string, PenAnswer>(end.answers)
      for (const [id, why] of refused) answers.set(id, { refused: why })
      await answerFacts(pen.db, answers)
      return true
    }
    for (const [id, why] of end.refused) refused.set(id, why)
  }
  return true
}

type GroupEnd = { kind: 'written'; answers: Map<string, PenAnswer> } | { kind: 'again'; refused: Map<string, string> }

async function writeGroup({ ws, fleet, report }: Pen, rows: readonly Row[]): Promise<GroupEnd | null> {
  const working = rows.filter(({ kind, payload }) => kind === 'ended' && payload.work !== null)
  const away = await fetchForPen(
    ws.repo,
    ws.ledger,
    working.map(({ run }) => run),
  )
  if (away !== null) {
    report(`Facts wait: ${away}`)
    return null
  }
  const before = resetToRemote(ws)
  const answers = decideRows(ws, fleet, rows)
  for (const [at, answer] of answers.entries()) writeRow(ws, rows[at] as Row, answer)
  const tip = readRef(ws.repo, ledgerRef(ws.ledger))
  const described = new Map(rows.map(({ id }, at) => [id, penAnswer(answers[at] as FactAnswer)]))
  if (tip === before || tip === null) return { kind: 'written', answers: described }
  const moves = branchMoves(rows, answers)
  const ledger: RefMove = { ref: ledgerRef(ws.ledger), from: before, to: tip }
  const pushed = await pushTogether(ws.repo, [ledger, ...moves.values()])
  if (pushed.kind === 'pushed') return { kind: 'written', answers: described }
  if (pushed.kind === 'away') {
    report(`Facts wait: ${pushed.why}`)
    return null
  }
  const refused = new Map([...moves].flatMap(([id, { ref }]) => withReason(id, ref, pushed.refs.get(ref))))
  const ownLedger = pushed.refs.get(ledger.ref)
  if (ownLedger !== undefined && !RACE.test(ownLedger)) {
    report(`The remote does not take ${ledger.ref}: ${ownLedger}`)
    return null
  }
  return { kind: 'again', refused }
}

/** Somebody else has pushed: everything is decided again. */
const RACE = /stale info|fetch first|non-fast-forward|failed to update ref|cannot lock ref|incorrect old value/

function withReason(id: string, ref: string, why: string | undefined): [string, string][] {
  return why === undefined ? [] : [[id, `the remote did not take ${ref}: ${why}`]]
}

function penAnswer(answer: FactAnswer): PenAnswer {
  return answer.isAccepted ? { accepted: true } : { refused: answer.why }
}

/** The ledger here is only a draft: it is what the remote has, plus the facts of one group. */
export function resetToRemote(ws: Workspace): string | null {
  const ref = ledgerRef(ws.ledger)
  const theirs = readRef(ws.repo, FOLLOWED + ws.ledger)
  const draft = readRef(ws.repo, ref)
  if (draft !== theirs && theirs !== null)
    swapRefs(ws.repo, [{ ref, to: theirs, from: draft }], 'gza: follow the remote')
  return theirs
}

function decideRows(ws: Workspace, fleet: string, rows: readonly Row[]): FactAnswer[] {
  const view = readLedger(ws)
  const isMember = isOfFleet(view, fleet)
  const facts = rows.map((row) => factOf(view, row))
  const uids = new Set(facts.flatMap(({ uid, tasks }) => [uid, ...tasks.map((task) => task.uid)]))
  const known = [...uids].flatMap((uid) => taskOf(ws.state, view.row.lid, uid) ?? [])
  return decideFacts(
    { tasks: new Map(known.map((task) => [task.uid, task])), isFree: (uid) => isMember && isFree(view, uid) },
    facts,
  )
}

/** The queue may have left it, or have joined another one. */
export function isOfFleet(view: LedgerView, fleet: string): boolean {
  return readMembership(view)?.fleet === fleet
}

/** Nothing but a run keeps it from starting. */
export function isFree(view: LedgerView, uid: string): boolean {
  const row = entry(view, uid)
  if (row === undefined || row.deleted || row.on_hold || row.asks || row.unmet > 0) return false
  return !view.stuck.has(uid) && openChildren(view, uid).length === 0
}

function factOf(view: LedgerView, { run, kind, seq, claim, payload }: Row): FleetFact {
  const { uid, generation } = payload
  const tasks = asNumbered(view, payload.tasks.map(parseTrustedLine))
  return { kind: kind as FleetFact['kind'], run, seq, claim, uid, generation, tasks }
}

/** Two workers may have filed tasks under one number, or with ids that begin alike. */
function asNumbered(view: LedgerView, tasks: readonly Task[]): Task[] {
  const { state } = view.ws
  const fresh = tasks.filter(({ uid }) => entry(view, uid) === undefined)
  if (fresh.length === 0) return [...tasks]
  const others = { last: view.row.last_number, claims: claimsOn(state, view.row.lid, fresh.flatMap(numbersOf)) }
  const numbered = new Map(renumber(fresh, others).map((task) => [task.uid, task]))
  return tasks.map((task) => {
    const each = numbered.get(task.uid)
    if (each === undefined) return task
    const isTaken = entryWithId(state, view.row.lid, each.id) !== undefined
    return isTaken ? { ...each, id: `task-${each.uid}` } : each
  })
}

/** One commit for each fact, by its agent. */
function writeRow(ws: Workspace, { run, payload }: Row, { isAccepted, writes }: FactAnswer): void {
  if (writes.length === 0) return
  const { actor } = payload
  const subject = isAccepted ? payload.subject : `close the superseded run ${run}`
  const artifacts = isAccepted ? payload.artifacts : {}
  const agent: Workspace['actor'] = { name: actor, mode: 'agent', source: 'run', run }
  changeLedger(alsoFor(ws, { ledger: ws.ledger, actor: agent }), () => ({
    ...{ tasks: writes, subject, result: null },
    artifacts: new Map(Object.entries(artifacts)),
  }))
}

/** The branches that move with the ledger, by row. */
function branchMoves(rows: readonly Row[], answers: readonly FactAnswer[]): Map<string, RefMove> {
  const moves = new Map<string, RefMove>()
  for (const [at, { id, kind, payload }] of rows.entries()) {
    const answer = answers[at]
    if (kind !== 'ended' || payload.work === null || !answer?.isAccepted || answer.writes.length === 0) continue
    const { branch, head, from } = payload.work
    if (head !== from) moves.set(id, { ref: `refs/heads/${branch}`, from, to: head })
  }
  return moves
}
