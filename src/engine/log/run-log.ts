import { cutMiddle } from '../../core/text/cut-middle.ts'
import { mapTexts } from '../../core/text/map-texts.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { appendText } from '../../platform/files/files.ts'
import { inspectFile } from '../../platform/files/inspect-file.ts'
import { readPiece } from '../../platform/files/read-piece.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { hideGzaFolder } from '../../platform/git/hide-gza-folder.ts'
import { makeRedact } from '../guard/redact.ts'
import { foldLog, LONGEST_LOG } from './fold-log.ts'
import { type LogEntry, noteOf, runLogPath, type StoredRecord } from './log-record.ts'
import { type PacedLog, paceLog } from './pace-log.ts'

interface RunLogPlace {
  repo: Repo
  run: string
  envs: readonly Env[]
  clock: () => number
}

export type RunLog = PacedLog

/** What is kept of one line, and of each text in its events. */
const EDGES = { head: 48 * 1024, tail: 16 * 1024 }

/**
 * A run's log: one JSON object for each line, without the secrets of `envs`. The file is opened for each write, so it
 * needs no closing. Lines are appended as they arrive, and a killed run loses nothing, unless the agent prints faster
 * than a person or a model can read: then a part of it is left out, and the log has a note of it.
 */
export function openRunLog({ repo, run, envs, clock }: RunLogPlace): RunLog {
  const path = runLogPath(repo, run)
  const redact = makeRedact(...envs)
  let size = prepare(repo, path)
  let order = 0
  let lost = 0
  const serialize = (entry: LogEntry): string => {
    const now = clock()
    order = Math.max(order + 1, now * 1000)
    const record: StoredRecord = { at: new Date(now).toISOString(), order, ...entry }
    return `${JSON.stringify(record)}\n`
  }
  const append = (text: string): void => {
    appendText(path, text)
    size += Buffer.byteLength(text)
  }
  /** Secrets are taken out before a text is cut: half of one would not be recognized. */
  const clean = <T>(value: T): T => mapTexts(redact(value), (text) => cutMiddle(text, EDGES)) as T
  const writeAll = (entries: readonly LogEntry[]): void => {
    try {
      if (lost > 0) {
        endTornLine(path)
        append(
          serialize({ ...(entries[0] as LogEntry), ...noteOf(`${plural(lost, 'line')} could not be written here`) }),
        )
        lost = 0
      }
      append(
        entries.map((entry) => serialize({ ...entry, line: clean(entry.line), event: clean(entry.event) })).join(''),
      )
    } catch {
      // A log that cannot be written must not end the agent's work. A full disk shows soon where it matters.
      lost += entries.length
    }
    if (size > LONGEST_LOG) size = foldLog(path) ?? size
  }
  return paceLog(writeAll)
}

/** Returns the size of the log. */
function prepare(repo: Repo, path: string): number {
  try {
    hideGzaFolder(repo)
    endTornLine(path)
    return inspectFile(path)?.size ?? 0
  } catch (error) {
    const hint = 'Without a log it would be unknown what an agent did, so no agent is started.'
    throw new UserError('LOG_UNWRITABLE', `The log ${path} cannot be written: ${(error as Error).message}`, { hint })
  }
}

/** After a kill or on a full disk, the last line may be incomplete, and the next one would be lost with it. */
function endTornLine(path: string): void {
  const size = inspectFile(path)?.size ?? 0
  const isTorn = size > 0 && readPiece(path, size - 1, 1)[0] !== '\n'.charCodeAt(0)
  appendText(path, isTorn ? '\n' : '')
}
