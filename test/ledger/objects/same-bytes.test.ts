/** What gza writes itself must be, byte for byte, what git would have written. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { importStream, type LedgerCommit } from '../../../src/core/ledger/import-stream.ts'
import { buildCommit } from '../../../src/ledger/write/build-commit.ts'
import { findRepo } from '../../../src/platform/git/find-repo.ts'
import { named, readLooseObject, writeLooseObjects } from '../../../src/platform/git/objects/loose-objects.ts'
import { linesOf } from '../../support/ledger-answers.ts'
import { aRepo, type Repo } from '../../support/repo.ts'

const ROOM = 240_000
const FORMATS = ['sha1', 'sha256'] as const
const BLOBS = 2000
const COMMITS = 1000

function objectsOf(repo: Repo): string {
  return join(repo.dir, '.git/objects')
}

for (const objectFormat of FORMATS) {
  test(
    `${BLOBS} random blobs have the ids of git hash-object (${objectFormat}), and git reads them`,
    () => {
      const repo = aRepo({ objectFormat })
      const length = objectFormat === 'sha1' ? 40 : 64
      const contents = fc
        .sample(fc.uint8Array({ maxLength: 3000, size: 'max' }), { numRuns: BLOBS, seed: 18 })
        .map((bytes, at) => Buffer.from(at % 3 === 0 ? new Uint8Array(bytes.length * 40).fill(bytes[0] ?? 0) : bytes))
      const objects = contents.map((content) => named({ kind: 'blob', content }, length))
      writeLooseObjects(objectsOf(repo), objects)

      const paths = contents.map((_, at) => join(repo.dir, `blob-${at}`))
      for (const [at, content] of contents.entries()) writeFileSync(paths[at] as string, content)
      const hashed = repo.run(['git', 'hash-object', '--no-filters', '--stdin-paths'], { stdin: paths.join('\n') })
      expect(objects.map(({ oid }) => oid)).toEqual(linesOf(hashed.stdout))
      const known = repo.run(['git', 'cat-file', '--batch-check'], { stdin: objects.map(({ oid }) => oid).join('\n') })
      expect(linesOf(known.stdout)).toEqual(objects.map(({ oid, content }) => `${oid} blob ${content.length}`))
      expect(repo.run(['git', 'fsck', '--strict', '--full', '--no-dangling']).code).toBe(0)
      for (const { oid, content } of objects) expect(readLooseObject(objectsOf(repo), oid)?.content).toEqual(content)
    },
    ROOM,
  )

  test(
    `${COMMITS} random changes of a tree with foreign entries have the ids of git fast-import (${objectFormat})`,
    () => {
      const repo = aRepo({ objectFormat })
      const place = findRepo(repo.dir, repo.env)
      const changes = fc.sample(arbitraryChange(), { numRuns: COMMITS, seed: 1801 })
      let tip = foreignTip(repo)
      const made: { stream: Buffer; oid: string }[] = []
      for (const [at, files] of changes.entries()) {
        const commit = { parents: [tip], files, audit: auditOf(at) }
        const objects = buildCommit(place, commit)
        if (objects === null) throw new Error(`change ${at} was left to git`)
        writeLooseObjects(objectsOf(repo), objects)
        tip = objects.at(-1)?.oid ?? ''
        made.push({ stream: importStream(commit, place.zeroOid), oid: tip })
      }
      expect(importedBy(repo, made)).toEqual(made.map(({ oid }) => oid))
      repo.git('update-ref', 'refs/tasks/main', tip)
      const checked = repo.run(['git', 'fsck', '--strict', '--full', '--no-dangling'])
      expect([checked.code, checked.stdout]).toEqual([0, ''])
    },
    ROOM,
  )
}

/** All changes in one process. The parents are there by then. */
function importedBy(repo: Repo, made: readonly { stream: Buffer }[]): string[] {
  const end = Buffer.from('done\n')
  const streams = made.map(({ stream }) => stream.subarray(0, stream.length - end.length))
  const input = Buffer.concat([...streams, end])
  const args = ['git', 'fast-import', '--quiet', '--force', '--done', '--date-format=raw']
  const git = Bun.spawnSync(args, { cwd: repo.dir, env: repo.env as Record<string, string>, stdin: input })
  expect(git.stderr.toString()).toBe('')
  return linesOf(git.stdout.toString())
}

/** A tree with everything that git knows and gza does not write. */
function foreignTip(repo: Repo): string {
  const blob = repo.run(['git', 'hash-object', '-w', '--stdin'], { stdin: 'foreign\n' }).stdout.trim()
  const empty = repo.git('write-tree')
  const commit = repo.git('commit-tree', '-m', 'inside', empty)
  const lines = [
    `100755 blob ${blob}\ttool`,
    `120000 blob ${blob}\tlink`,
    `160000 commit ${commit}\tmodule`,
    `100644 blob ${blob}\ta.b`,
    `100644 blob ${blob}\ta-`,
    `100644 blob ${blob}\tb`,
    `100644 blob ${blob}\tname with spaces and ü`,
  ]
  const below = repo.run(['git', 'mktree'], { stdin: `${lines.join('\n')}\n` }).stdout.trim()
  const all = [...lines, `040000 tree ${below}\tdeep`, `040000 tree ${below}\ta`].sort()
  const tree = repo.run(['git', 'mktree'], { stdin: `${all.join('\n')}\n` }).stdout.trim()
  return repo.git('commit-tree', '-m', 'foreign', tree)
}

/** Few names, so that files become folders and back, and folders lose their last file. */
function arbitraryChange() {
  const name = fc.constantFrom('a', 'a.b', 'a-', 'a0', 'b', 'deep', 'tasks.jsonl', 'ü', 'tool', 'link', 'module')
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
  const content = fc.oneof({ weight: 3, arbitrary: fc.string({ unit: 'binary' }) }, fc.constant(null))
  return fc
    .array(fc.tuple(path, content), { minLength: 1, maxLength: 4 })
    .map((entries) => new Map(entries.filter(([each], at) => isClear(each, entries.slice(0, at)))))
}

/** One change does not write a file and another below it. */
function isClear(path: string, earlier: readonly [string, string | null][]): boolean {
  return earlier.every(([other]) => !`${other}/`.startsWith(`${path}/`) && !`${path}/`.startsWith(`${other}/`))
}

function auditOf(at: number): LedgerCommit['audit'] {
  const names = ['Zoë Ünal <zoe@example.com>', 'unknown <>', "O'Neil, Jr. <o@x>"]
  const optional = at % 2 === 0 ? { run: `run-${at}`, undoes: 'f'.repeat(40) } : { without: '0'.repeat(40) }
  const identity = names[at % names.length] ?? ''
  return { subject: `change ${at} – ß`, actor: 'a\nb', mode: 'agent', time: 1_700_000_000 + at, identity, ...optional }
}
