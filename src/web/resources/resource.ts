import type { Workspace } from '../../workspace/workspace.ts'
import type { StartedCommand } from '../host.ts'

/** Something that the page can read of a repository: one file for each, over one use case. */
export interface Resource<T = unknown> {
  /** Below /api/r/REPOSITORY/, with `:ref` for the name of a task. */
  path: string
  /** It has texts of people or programs: secrets are taken out of it, as out of logs. */
  hasTexts?: true
  read(ws: Workspace, asked: Asked): T
}

export interface Asked {
  /** The value of `:ref`. */
  ref: string
  /** The value of `:name`. */
  name: string
  query: URLSearchParams
  /** What was started in the page, the newest first. */
  started(): StartedCommand[]
}

/** The page takes its types from what `read` returns (web/src/api/types.ts). */
export function defineResource<T>(resource: Resource<T>): Resource<T> {
  return resource
}
