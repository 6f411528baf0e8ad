import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { splitLines } from '../../agents/reading/split-lines.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { appendText } from '../../platform/files/files.ts'
import { inspectFile } from '../../platform/files/inspect-file.ts'
import { readPiece } from '../../platform/files/read-piece.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { hideGzaFolder } from '../../platform/git/hide-gza-folder.ts'
import { makeRedact } from '../guard/redact.ts'

/** One line of an agent, as it was printed and as it was parsed. */
export interface LogEntry {
  phase: string
  /** `gza` for messages of gza itself about the log. */
  stream: 'out' | 'err' | 'gza'
  line: string
  event: unknown
}

export interface LogRecord extends LogEntry {
  at: string
}

interface RunLogPlace {
  repo: Repo
  run: string
  envs: readonly Env[]
  clock: () => number
}

export interface RunLog {
  write(entry: LogEntry): void
}

/**
 * A run's log: one JSON object for each line, appended as lines arrive, without the secrets of `envs`. The file is
 * opened for each line, so it needs no closing and a killed run loses nothing.
 */
export function openRunLog({ repo, run, envs, clock }: RunLogPlace): RunLog {
  const path = runLogPath(repo, run)
  const redact = makeRedact(...envs)
  prepare(repo, path)
  let lost = 0
  const append = (entry: LogEntry): void => {
    appendText(path, `${JSON.stringify({ at: new Date(clock()).toISOString(), ...entry })}\n`)
  }
  return {
    write: (entry) => {
      try {
        if (lost > 0) {
          endTornLine(path)
          append({ ...entry, stream: 'gza', line: `${plural(lost, 'line')} could not be written here`, event: [] })
          lost = 0
        }
        append({ ...entry, line: redact(entry.line), event: redact(entry.event) })
      } catch {
        // A log that cannot be written must not end the agent's work. A full disk shows soon where it matters.
        lost += 1
      }
    },
  }
}

export function runLogPath(repo: Repo, run: string): string {
  return join(gzaFolder(repo), 'logs', `${run}.jsonl`)
}

export interface FollowOptions {
  /** Called when everything was read. Without it, reading ends at the end of the log. */
  isOver?: () => boolean
  cancel?: AbortSignal
}

const PIECE = 256 * 1024
const PAUSE_MS = 100

/** The records of a log from its start, then new ones until it is over. A record that cannot be read is skipped. */
export async function* readRunLog(path: string, { isOver, cancel }: FollowOptions = {}): AsyncGenerator<LogRecord> {
  const waiting: string[] = []
  const splitter = splitLines((line) => waiting.push(line), Number.POSITIVE_INFINITY)
  for (let offset = 0; !cancel?.aborted; ) {
    // Called before reading, so that everything written before the end is read.
    const isLast = isOver?.() ?? true
    const piece = readPiece(path, offset, PIECE)
    offset += piece.length
    splitter.push(piece)
    yield* parseRecords(waiting.splice(0))
    if (piece.length > 0) continue
    if (isLast) return
    await Bun.sleep(PAUSE_MS)
  }
}

const RECORD = z.object({
  at: z.string(),
  phase: z.string(),
  stream: z.enum(['out', 'err', 'gza']),
  line: z.string(),
  event: z.unknown(),
})

function* parseRecords(lines: readonly string[]): Generator<LogRecord> {
  for (const line of lines) {
    const record = RECORD.safeParse(parseJson(line))
    if (record.success) yield record.data
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function prepare(repo: Repo, path: string): void {
  try {
    hideGzaFolder(repo)
    endTornLine(path)
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

/** In the main worktree, wherever gza was started; in the git folder if there is no main worktree. */
function gzaFolder({ gitDir, commonDir, workTree }: Repo): string {
  if (basename(commonDir) === '.git') return join(dirname(commonDir), '.gza')
  return workTree !== null && gitDir === commonDir ? join(workTree, '.gza') : join(commonDir, 'gza')
}
