import { expect, test } from 'bun:test'
import { aRepo, type Repo } from '../../test/support/repo.ts'
import { findRepo } from './find-repo.ts'
import { type IndexedFile, readIndexFile } from './index-file.ts'

const FILES = { a: '1', 'dir/with a longer name.txt': '2', 'dir/ümlaut': '3', seven77: '4', eight888: '5' }

for (const objectFormat of ['sha1', 'sha256'] as const) {
  test(`files, modes and what git was told not to look at are read as git lists them (${objectFormat})`, () => {
    const repo = aRepo({ objectFormat })
    const first = repo.commit('first', FILES)
    repo.git('update-index', '--chmod=+x', 'a')
    repo.git('update-index', '--add', '--cacheinfo', `160000,${first},module`)
    expect(read(repo)).toEqual(asked(repo))
    repo.git('update-index', '--assume-unchanged', 'a')
    repo.git('update-index', '--skip-worktree', 'dir/ümlaut')
    expect(read(repo)).toEqual(asked(repo))
  })
}

test('an index that is compressed, split or missing is left to git', () => {
  const repo = aRepo()
  repo.commit('first', FILES)
  repo.git('update-index', '--index-version', '4')
  expect(read(repo)).toBe(null)
  repo.git('update-index', '--index-version', '2')
  expect(read(repo)).toEqual(asked(repo))
  repo.git('update-index', '--split-index')
  expect(read(repo)).toBe(null)
  expect(read(aRepo())).toBe(null)
})

function read(repo: Repo): string[] | null {
  return readIndexFile(findRepo(repo.dir, repo.env))?.map(print) ?? null
}

function print({ path, mode, isAssumedUnchanged, isSkipped }: IndexedFile): string {
  const tag = isSkipped ? 'S' : 'H'
  return `${isAssumedUnchanged ? tag.toLowerCase() : tag} ${mode} ${path}`
}

function asked(repo: Repo): string[] {
  const fields = repo.git('ls-files', '-v', '--stage', '-z').split('\0').filter(Boolean)
  return fields.map((field) => `${field.slice(0, 8)} ${field.slice(field.indexOf('\t') + 1)}`)
}
