import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { add, aStartedRepo, contents, gza, show } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { commitThere, placeIn } from './task-life.ts'

test('a repository of another user’s is refused as git refuses it, and the way out is named', () => {
  const repo = belongingToAnother(aRepo({ bare: true }))
  for (const args of [['list'], ['add', 'x'], ['sync']]) {
    expect(repo.gza(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `Error: The repository around ${repo.dir} belongs to another user\n` +
        '  git config --global --add safe.directory sets which repositories of other users you trust.\n',
    })
  }
  repo.git('config', '--global', '--add', 'safe.directory', repo.dir)
  add(repo, 'trusted now')
  expect(contents(repo)).toEqual(['trusted now'])
})

test('a checkout of another user’s is not written either', () => {
  const repo = belongingToAnother(aStartedRepo())
  expect(repo.gza('add', 'x')).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to another user') })
})

test('without a name, a mail and a home one can still file, finish and link', () => {
  const repo = aRepo()
  const nobody = placeIn(repo, repo.dir, { HOME: undefined, XDG_CONFIG_HOME: undefined })
  const [task] = [JSON.parse(nobody.gza('add', 'by nobody', '--json').stdout)]
  expect(task.created_by).not.toBe('')
  nobody.git('-c', 'user.name=x', '-c', 'user.email=x', 'commit', '--quiet', '--allow-empty', '-m', 'first')
  expect(nobody.gza('done', '1')).toMatchObject({ code: 0, stderr: '' })
  expect(show(repo, '1').closed_commit).toBe(repo.git('rev-parse', 'HEAD'))
  expect(repo.git('notes', '--ref=tasks', 'show', 'HEAD')).toContain('by nobody')
  expect(nobody.gza('verify').code).toBe(0)
})

test('with user.useConfigOnly and no user it is the same', () => {
  const repo = aRepo()
  repo.write('../home/.gitconfig', '[user]\n\tuseConfigOnly = true\n[init]\n\tdefaultBranch = main\n')
  add(repo, 'by the login')
  gza(repo, 'note', '1', 'a note')
  expect(contents(repo)).toEqual(['by the login'])
})

test('GIT_COMMITTER_NAME names the person, git’s own configuration otherwise', () => {
  const repo = aStartedRepo()
  expect(show(repo, add(repo, 'one')).created_by).toBe('Test')
  const other = repo.withEnv({ GIT_COMMITTER_NAME: 'Zoë', GIT_COMMITTER_EMAIL: 'zoe@example.com' })
  expect(show(repo, add(other, 'two')).created_by).toBe('Zoë')
  commitThere(other)
})

test('outside of any repository, and in one that is gone, it is reported', () => {
  const repo = aRepo()
  const outside = placeIn(repo, join(repo.dir, '..'))
  expect(outside.gza('list')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Error: Not a git repository: /),
  })
  repo.run(['rm', '-r', '.git/HEAD'])
  expect(repo.gza('list')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Error: Not a git repository: /) })
})

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Root can give it away; for other users git has a variable that makes it look so. */
function belongingToAnother(repo: Repo): Repo {
  if (!isRoot()) return repo.withEnv({ GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' })
  repo.run(['chown', '-R', '12345', repo.dir])
  return repo
}
