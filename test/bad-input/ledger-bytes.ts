import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from '../support/repo.ts'

/** A blob of these bytes; its name. */
export function writeBytes(repo: Repo, bytes: Buffer): string {
  const file = join(repo.env.HOME ?? '', 'bytes')
  writeFileSync(file, bytes)
  return repo.git('hash-object', '-w', '--no-filters', file)
}

/** Somebody with plain git puts these bytes into a file of the ledger; a null takes the file away. */
export function putBytes(repo: Repo, path: string, bytes: Buffer | string | null, ledger = 'main'): string {
  const ref = `refs/tasks/${ledger}`
  const plain = repo.withEnv({ GIT_INDEX_FILE: join(repo.env.HOME ?? '', 'plain-index') })
  plain.git('read-tree', ref)
  if (bytes === null) plain.git('update-index', '--force-remove', path)
  else plain.git('update-index', '--add', '--cacheinfo', `100644,${writeBytes(repo, Buffer.from(bytes))},${path}`)
  const commit = repo.git('commit-tree', '-p', ref, '-m', 'by hand', plain.git('write-tree'))
  repo.git('update-ref', ref, commit)
  return commit
}

/** The bytes of a file in the ledger. */
export function bytesOf(repo: Repo, path: string, ledger = 'main'): Buffer {
  const { stdout } = Bun.spawnSync(['git', 'cat-file', 'blob', `refs/tasks/${ledger}:${path}`], {
    cwd: repo.dir,
    env: repo.env as Record<string, string>,
  })
  return Buffer.from(stdout)
}

export function textOf(repo: Repo, path = 'tasks.jsonl', ledger = 'main'): string {
  return bytesOf(repo, path, ledger).toString()
}

/** The file of an object that git keeps loose. */
export function objectFile(repo: Repo, oid: string): string {
  return join(repo.dir, '.git/objects', oid.slice(0, 2), oid.slice(2))
}
