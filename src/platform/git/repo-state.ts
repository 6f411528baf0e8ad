import { join } from 'node:path'
import { inspectFile } from '../files/inspect-file.ts'
import type { Repo } from './find-repo.ts'
import { guarded, runOwnGitAsync } from './own-git.ts'
import { readHead } from './refs.ts'

/** What the checkout of a person contains, apart from commits. */
export interface RepoState {
  /** The branch or commit that it is on. */
  head: string
  /** Its uncommitted files, each with a stamp that changes with the file. */
  files: Map<string, string>
}

export async function readRepoState(repo: Repo): Promise<RepoState> {
  const files = await listDirtyFiles(repo)
  return { head: headOf(repo), files }
}

function headOf(repo: Repo): string {
  const head = readHead(repo)
  return head.kind === 'branch' ? `refs/heads/${head.branch}` : head.oid
}

async function listDirtyFiles(repo: Repo): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  if (repo.workTree === null) return files
  const flags = ['--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty']
  // Without optional locks: a commit that the person makes at this moment must not fail because of our lock.
  const text = (await runOwnGitAsync(guarded(repo), ['--no-optional-locks', 'status', ...flags])).toString()
  for (const field of text.split('\0').filter(Boolean)) {
    const path = field.slice(3)
    files.set(path, `${field.slice(0, 2)} ${inspectFile(join(repo.workTree, path))?.stamp ?? ''}`)
  }
  return files
}

export type OutsideChange = { kind: 'head'; from: string; to: string } | { kind: 'file'; path: string }

/**
 * What has changed in the person's checkout. The agent may change none of it, but this does not show who did: a person
 * may work in the same checkout. The guard compares refs and settings (guard/guard-window.ts).
 */
export function outsideChanges(before: RepoState, after: RepoState): OutsideChange[] {
  return [
    ...(before.head === after.head ? [] : [{ kind: 'head', from: before.head, to: after.head } as const]),
    ...differing(before.files, after.files).map((path) => ({ kind: 'file', path }) as const),
  ]
}

function differing(before: Map<string, string>, after: Map<string, string>): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => before.get(key) !== after.get(key)).sort()
}
