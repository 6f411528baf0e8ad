import { join, relative } from 'node:path'
import { listFiles } from '../../platform/files/files.ts'
import { inspectFile, readFiles } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runGitAsync } from '../../platform/git/git.ts'
import { readRefFiles } from '../../platform/git/ref-files.ts'
import { listRefs, readHead } from '../../platform/git/refs.ts'
import { own } from './place.ts'

/** The state of what is outside the agent's workplace. The agent may change none of it. */
export interface Outside {
  refs: Map<string, string>
  /** The branch or commit that the person's checkout is on. */
  head: string
  /** Uncommitted files of that checkout, each with a stamp that changes with the file. */
  files: Map<string, string>
  /** Files of the repository that can make git run something for other people. */
  settings: Map<string, string>
}

export type OutsideChange =
  | { kind: 'ref'; ref: string; from: string | null; to: string | null }
  | { kind: 'head'; from: string; to: string }
  | { kind: 'file'; path: string }
  | { kind: 'setting'; path: string }

export async function lookOutside(repo: Repo): Promise<Outside> {
  // Both in one promise: if the second failed first, a rejection of the first would be unhandled and end gza.
  const [files, rest] = await Promise.all([listDirtyFiles(repo), lookBeside(repo)])
  return { ...rest, files }
}

async function lookBeside(repo: Repo): Promise<Omit<Outside, 'files'>> {
  return { refs: listBranchesAndTags(repo), head: headOf(repo), settings: listSettings(repo) }
}

/**
 * What has changed since. It does not show who changed it: a person may work in the same checkout, and other workers
 * move the branches of their own tasks. The branches in `except` are left out.
 */
export function outsideChanges(before: Outside, after: Outside, except: readonly string[] = []): OutsideChange[] {
  const known = new Set(except.map((branch) => `refs/heads/${branch}`))
  const refs = differing(before.refs, after.refs).filter((ref) => !known.has(ref))
  return [
    ...refs.map((ref): OutsideChange => {
      return { kind: 'ref', ref, from: before.refs.get(ref) ?? null, to: after.refs.get(ref) ?? null }
    }),
    ...(before.head === after.head ? [] : [{ kind: 'head', from: before.head, to: after.head } as const]),
    ...differing(before.files, after.files).map((path) => ({ kind: 'file', path }) as const),
    ...differing(before.settings, after.settings).map((path) => ({ kind: 'setting', path }) as const),
  ]
}

function listBranchesAndTags(repo: Repo): Map<string, string> {
  const places = ['refs/heads/', 'refs/tags/', 'refs/stash']
  const refs = readRefFiles(repo, places)
  // Only git resolves symbolic refs reliably.
  const isDirect = refs?.values().every((value) => !value.startsWith('ref:'))
  return refs !== null && isDirect ? refs : listRefs(repo, ...places)
}

function differing(before: Map<string, string>, after: Map<string, string>): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => before.get(key) !== after.get(key)).sort()
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
  const text = (await runGitAsync(repo, ['--no-optional-locks', ...own('status', ...flags)])).toString()
  for (const field of text.split('\0').filter(Boolean)) {
    const path = field.slice(3)
    files.set(path, `${field.slice(0, 2)} ${inspectFile(join(repo.workTree, path))?.stamp ?? ''}`)
  }
  return files
}

function listSettings({ commonDir }: Repo): Map<string, string> {
  const single = ['config', 'config.worktree', 'info/attributes', 'info/exclude'].map((name) => join(commonDir, name))
  const paths = [...single, ...listFiles(join(commonDir, 'hooks'))]
  const found = [...readFiles(paths)]
  // Compares the text: git rewrites the config when a branch is deleted, often without a change.
  return new Map(found.map(([path, { mode, text }]) => [relative(commonDir, path), `${mode} ${text}`]))
}
