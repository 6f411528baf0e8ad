import { basename, dirname, join } from 'node:path'
import type { Repo } from '../../platform/git/find-repo.ts'

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
  /** In a note about what was cut out of the log: how many bytes that were. */
  cut?: number
}

/** As it is in the file. */
export interface StoredRecord extends LogRecord {
  /** Grows from record to record, also where records between them were cut out. */
  order?: number
}

export function noteOf(line: string): Pick<LogEntry, 'stream' | 'line' | 'event'> {
  return { stream: 'gza', line, event: [] }
}

export function runLogPath(repo: Repo, run: string): string {
  return join(gzaFolder(repo), 'logs', `${run}.jsonl`)
}

/** In the main worktree, wherever gza was started; in the git folder if there is no main worktree. */
export function gzaFolder({ gitDir, commonDir, workTree }: Repo): string {
  if (basename(commonDir) === '.git') return join(dirname(commonDir), '.gza')
  return workTree !== null && gitDir === commonDir ? join(workTree, '.gza') : join(commonDir, 'gza')
}
