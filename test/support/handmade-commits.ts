import { createTask } from '../../src/core/task/operations.ts'
import type { Task } from '../../src/core/task/task.ts'
import { uidOfCreation } from '../../src/core/task/task-ids.ts'
import type { Repo } from './repo.ts'

/** A task whose uid begins with these digits, found by trying salts; a greater nth is born later. */
export function taskWithPrefix(prefix: string, nth: number): Task {
  const authorship = { at: `2026-01-01T1${nth}:00:00Z`, by: 'Test' }
  const content = `task ${nth}`
  for (let n = 0; ; n++) {
    const salt = n.toString(16).padStart(16, '0')
    const uid = uidOfCreation({ content, created_at: authorship.at, created_by: authorship.by, salt })
    if (!uid.startsWith(prefix)) continue
    const identity = { number: 1, taskCount: 0, isIdTaken: () => false, salt, head: null }
    return createTask({ content }, authorship, identity)
  }
}

/** Makes a file's text of its old one; null takes the file away. */
export type Rewrite = (text: string) => string | null

interface HandMade {
  ledger?: string
  /** The value of the Mode trailer; null leaves it out. */
  mode?: string | null
  parents?: string[]
}

/** Moves a ledger by a commit made with plain git, in which the named files are rewritten. */
export function commitFiles(repo: Repo, files: Record<string, Rewrite>, options: HandMade = {}): string {
  const ref = `refs/tasks/${options.ledger ?? 'main'}`
  const parents = (options.parents ?? [ref]).flatMap((parent) => ['-p', parent])
  const commit = repo.git('commit-tree', ...parents, '-m', messageOf(options), writeTree(repo, ref, files))
  repo.git('update-ref', '-m', 'by hand', ref, commit)
  return commit
}

function messageOf({ mode = 'human' }: HandMade): string {
  return mode === null ? 'by hand' : `by hand\n\nActor: someone\nMode: ${mode}`
}

function writeTree(repo: Repo, base: string, files: Record<string, Rewrite>): string {
  const plain = repo.withEnv({ GIT_INDEX_FILE: `${repo.env.HOME}/plumbing-index` })
  plain.git('read-tree', base)
  for (const [path, rewrite] of Object.entries(files)) {
    const text = rewrite(repo.run(['git', 'cat-file', 'blob', `${base}:${path}`]).stdout)
    if (text === null) plain.git('update-index', '--force-remove', path)
    else plain.git('update-index', '--add', '--cacheinfo', `100644,${writeBlob(repo, text)},${path}`)
  }
  return plain.git('write-tree')
}

function writeBlob(repo: Repo, text: string): string {
  return repo.run(['git', 'hash-object', '-w', '--stdin'], { stdin: text }).stdout.trim()
}
