import { expect, test } from 'bun:test'
import { aRepo, type Repo } from '../../test/support/repo.ts'
import { findRepo } from '../platform/find-repo.ts'
import { type FileContent, writeCommit } from './write-commit.ts'

type Files = Record<string, FileContent | null>

const STEPS: Files[] = [
  { 'tasks.jsonl': '{"id":1}\n', 'a/b/c.md': 'deep', 'a/b.md': Buffer.from([0, 255]), 'a-b': 'beside', a0: 'after' },
  { 'tasks.jsonl': '{"id":1}\n{"title":"ü"}\n', 'a/b/d.md': 'deeper' },
  { 'a/b/c.md': null, 'a/b/d.md': null, 'a-b': null },
  { 'a/b.md': null, 'shards/000': 'one' },
]

for (const objectFormat of ['sha1', 'sha256'] as const) {
  test(`a commit is the same, written as files and written by git (${objectFormat})`, () => {
    const byFiles = writeAll(aRepo({ objectFormat }))
    const other = aRepo({ objectFormat })
    other.git('config', 'core.sharedRepository', 'umask')
    expect(byFiles).toEqual(writeAll(other))
  })
}

test('what lies packed is built on by git', () => {
  const repo = aRepo()
  const [first = '', second = ''] = writeAll(repo)
  repo.git('update-ref', 'refs/tasks/main', first)
  repo.git('gc', '--quiet', '--prune=now')
  expect(write(repo, [first], STEPS[1] ?? {})).toBe(second)
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('')
})

function writeAll(repo: Repo): string[] {
  const commits: string[] = []
  for (const files of STEPS) commits.push(write(repo, commits.slice(-1), files))
  expect(repo.git('fsck', '--strict', '--no-dangling', ...commits)).toBe('')
  return commits
}

function write(repo: Repo, parents: string[], files: Files): string {
  const audit = {
    subject: 'note täsk',
    actor: 'Jürgen',
    mode: 'human',
    time: 1_700_000_000,
    identity: 'Jürgen <j@x>',
  } as const
  return writeCommit(findRepo(repo.dir, repo.env), { parents, files: new Map(Object.entries(files)), audit })
}
