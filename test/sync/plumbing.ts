import { uidOfBirth } from '../../src/core/identity.ts'
import { createTask } from '../../src/core/operations.ts'
import type { Task } from '../../src/core/task.ts'
import type { Repo } from '../support/repo.ts'

/** A task whose uid begins with these digits, found by trying salts; a greater nth is born later. */
export function taskWithPrefix(prefix: string, nth: number): Task {
  const happening = { at: `2026-01-01T1${nth}:00:00Z`, by: 'Test' }
  const content = `task ${nth}`
  for (let n = 0; ; n++) {
    const salt = n.toString(16).padStart(16, '0')
    const uid = uidOfBirth({ content, created_at: happening.at, created_by: happening.by, salt })
    if (!uid.startsWith(prefix)) continue
    const nursery = { number: 1, taskCount: 0, isIdTaken: () => false, salt, head: null }
    return createTask({ content }, happening, nursery)
  }
}

/** Moves a ledger by a commit made with plain git, in which the named files have the text that is made of the old one. */
export function commitFiles(
  repo: Repo,
  files: Record<string, (text: string) => string>,
  { ledger = 'main', mode = 'human' as string | null } = {},
): string {
  const ref = `refs/tasks/${ledger}`
  const index = { GIT_INDEX_FILE: `${repo.dir}/.git/plumbing-index` }
  const plain = repo.withEnv(index)
  plain.git('read-tree', ref)
  for (const [path, change] of Object.entries(files)) {
    const old = repo.run(['git', 'cat-file', 'blob', `${ref}:${path}`]).stdout
    const blob = repo.run(['git', 'hash-object', '-w', '--stdin'], { stdin: change(old) }).stdout.trim()
    plain.git('update-index', '--add', '--cacheinfo', `100644,${blob},${path}`)
  }
  const message = mode === null ? 'by hand' : `by hand\n\nActor: someone\nMode: ${mode}`
  const commit = repo.git('commit-tree', '-p', ref, '-m', message, plain.git('write-tree'))
  repo.git('update-ref', ref, commit)
  return commit
}
