/**
 * A claim that has expired may be taken in another clone. Its holder does not know that before a sync, and may report the
 * task as done. Then the task stays with the one who took it, and the report is kept as a note.
 */
import { compareNotes } from '../ledger/join-tasks.ts'
import { isFinished } from './status-predicates.ts'
import type { Note, Run, Task } from './task.ts'

/** Others cannot see a renewal at once, and clocks differ: they wait this much longer. */
const GRACE_MS = 5 * 60_000

/** Is it a claim whose time is over for other clones? In its own clone its lease decides. */
export function isExpiredClaim({ claimed, until }: Pick<Run, 'claimed' | 'until'>, now: string): boolean {
  return claimed === true && until !== undefined && Date.parse(now) >= Date.parse(until) + GRACE_MS
}

/** The join of two copies, of which one may have been closed by the holder of a claim that the other shows as taken. */
export function settleLateDone(copies: readonly Task[], joined: Task): Task {
  return joined.runs.reduce((task, taker) => settleOne(copies, task, taker), joined)
}

function settleOne(copies: readonly Task[], joined: Task, taker: Run): Task {
  const claim = joined.runs.find(({ run }) => taker.expired_claims?.includes(run))
  if (claim === undefined) return joined
  const isTaken = (copy: Task) => copy.runs.some(({ run }) => run === taker.run)
  const taken = copies.find(isTaken)
  const done = copies.find((copy) => !isTaken(copy) && isDoneBy(copy, claim))
  if (taken === undefined || done === undefined) return finishedByTaker(copies, joined, taker)
  const noted = withNote(joined, noteOf(claim, taker, done))
  return isFinished(taken) || taken.generation !== done.generation ? noted : { ...noted, ...closingOf(taken) }
}

/** The taker had finished, and did not know yet that the task was opened again because of the late report. */
function finishedByTaker(copies: readonly Task[], joined: Task, taker: Run): Task {
  const isOpenedAgain = joined.status === 'pending' && joined.notes.some(isLateNote)
  const last = joined.generation - 1
  const finished = copies.find(
    ({ status, generation, runs }) =>
      status === 'completed' && generation === last && runs.some((run) => run.run === taker.run && isDone(run)),
  )
  return isOpenedAgain && finished !== undefined ? { ...joined, ...closingOf(finished) } : joined
}

function isLateNote({ id, retracted }: Note): boolean {
  return /^\d+-late/.test(id) && !retracted
}

function isDoneBy({ status, closed_by, runs }: Task, { run, agent }: Run): boolean {
  return status === 'completed' && (closed_by === agent || runs.some((known) => known.run === run && isDone(known)))
}

function isDone({ outcome }: Run): boolean {
  return outcome === 'completed'
}

/** As in the copy of the one who took it. The higher generation makes every clone agree. */
function closingOf(copy: Task): Partial<Task> {
  const { generation, status, closed_at, closed_by, closed_commit, link, closed_head, closed_branch } = copy
  return { generation: generation + 1, status, closed_at, closed_by, closed_commit, link, closed_head, closed_branch }
}

/** The same in every clone that joins the two, so that it is one note. */
function noteOf(claim: Run, taker: Run, { closed_at, commits }: Task): Note {
  const id = `${taker.attempt}-late${claim.run.replace(/[^0-9a-z]/gi, '').slice(-8)}`
  const by = String(claim.agent ?? 'agent')
  const work = commits.length === 0 ? '' : ` (${commits.map((commit) => commit.slice(0, 10)).join(', ')})`
  const text = `done by ${by}${work}, after its claim had expired and ${taker.agent ?? 'another agent'} had taken the task`
  return { id, at: closed_at ?? claim.started_at, by, text }
}

function withNote(task: Task, note: Note): Task {
  if (task.notes.some(({ id }) => id === note.id)) return task
  return { ...task, notes: [...task.notes, note].sort(compareNotes) }
}

/**
 * The late reports that no person has answered: by closing the task since, or by a note. A join by an agent, or by an older
 * version, wrote no note, but the runs show it.
 */
export function openLateDones(task: Task): Pick<Note, 'by' | 'at' | 'text'>[] {
  const agents = new Set<unknown>(task.runs.flatMap(({ agent, assigned_agent }) => [agent, assigned_agent]))
  const isPerson = (name: string | undefined) => name !== undefined && !agents.has(name)
  const isAnswered = ({ at }: { at: string }) =>
    task.notes.some((note) => note.at >= at && isPerson(note.by)) ||
    (isFinished(task) && isPerson(task.closed_by) && (task.closed_at ?? '') >= at)
  return lateDones(task).filter((late) => !isAnswered(late))
}

function lateDones(task: Task): Pick<Note, 'by' | 'at' | 'text'>[] {
  const noted = task.notes.filter(isLateNote)
  if (noted.length > 0) return noted
  return task.runs.flatMap((taker) =>
    task.runs
      .filter((claim) => isDone(claim) && taker.expired_claims?.includes(claim.run))
      .map((claim) => noteOf(claim, taker, { ...task, closed_at: claim.ended_at ?? claim.started_at, commits: [] })),
  )
}
