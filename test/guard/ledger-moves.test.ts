import { expect, test } from 'bun:test'
import { aRepo, type Repo } from '../support/repo.ts'
import { aGuardedRepo, forge, LEDGER, tipOf, underGuard } from './guarded-repo.ts'

const CONTENT = (line: string) => line.replace('Written by a person', 'Rewritten by an agent')

// By the real git's path: the shim is not involved.
const REFUSED: [attack: string, script: string, why: string][] = [
  ['update-ref to an earlier commit', '$GIT update-ref refs/tasks/main refs/tasks/main~1', 'not a descendant'],
  ['update-ref --no-deref', '$GIT update-ref --no-deref refs/tasks/main refs/tasks/main~1', 'not a descendant'],
  [
    'update-ref with the old value',
    '$GIT update-ref refs/tasks/main refs/tasks/main~1 refs/tasks/main',
    'not a descendant',
  ],
  [
    'update-ref --stdin',
    'echo update refs/tasks/main $($GIT rev-parse HEAD) | $GIT update-ref --stdin',
    'not a descendant',
  ],
  ['update-ref to a blob', '$GIT update-ref refs/tasks/main $($GIT rev-parse HEAD:a.txt)', 'is not a commit'],
  ['a new ledger that is a blob', '$GIT update-ref refs/tasks/new $($GIT rev-parse HEAD:a.txt)', 'is not a commit'],
  [
    'a tag on the ledger',
    '$GIT tag -m x t refs/tasks/main && $GIT update-ref refs/tasks/main refs/tags/t',
    'is not a commit',
  ],
  ['update-ref -d', '$GIT update-ref -d refs/tasks/main', 'ledgers are not deleted'],
  [
    'update-ref -d of a packed ledger',
    '$GIT pack-refs --all && $GIT update-ref -d refs/tasks/main',
    'ledgers are not deleted',
  ],
  ['a fetch over the ledger', '$GIT fetch . +HEAD:refs/tasks/main', 'not a descendant'],
  ['a pruning fetch', '$GIT fetch --prune . "+refs/heads/none*:refs/tasks/*"', 'ledgers are not deleted'],
  [
    'HEAD on the ledger, then reset',
    '$GIT symbolic-ref HEAD refs/tasks/main && $GIT reset --soft HEAD~1',
    'not a descendant',
  ],
  [
    'HEAD on the ledger, then commit',
    '$GIT symbolic-ref HEAD refs/tasks/main && $GIT commit -m x',
    'is not marked as made by an agent',
  ],
  [
    'fast-import',
    'printf "reset refs/tasks/main\\nfrom refs/heads/main\\n" | $GIT fast-import --force',
    'not a descendant',
  ],
  ['a new ledger without an author', '$GIT update-ref refs/tasks/new HEAD', 'is not marked as made by an agent'],
  ['replacing the ledger’s commit', '$GIT replace refs/tasks/main HEAD', 'objects are not replaced'],
  ['the archive', '$GIT update-ref refs/tasks-archive/x refs/tasks/main', 'only people archive ledgers'],
  ['gza’s own refs', '$GIT update-ref refs/gza/land/main HEAD', 'only gza moves it'],
  ['another spelling of the ledger', '$GIT update-ref refs/TASKS/main HEAD', 'is not marked as made by an agent'],
  [
    'deleting together with a copy',
    'T=$($GIT rev-parse refs/tasks/main); printf "delete refs/tasks/main\\ncreate refs/tasks-archive/x $T\\n" | $GIT update-ref --stdin',
    'ledgers are not deleted',
  ],
]

test.each(REFUSED)('%s is refused', (_attack, script, why) => {
  const repo = aGuardedRepo()
  const before = guardedRefs(repo)
  const result = underGuard(repo, script)
  expect(result.code).not.toBe(0)
  expect(result.stderr).toContain('gza: not allowed for agents: ')
  expect(result.stderr).toContain(why)
  expect(guardedRefs(repo)).toBe(before)
  expect(repo.gza('verify').code).toBe(0)
})

test.each([
  ['a forged human-mode commit', 'human', CONTENT],
  ['a forged human-mode commit that changes nothing', 'human', (line: string) => line],
  ['a commit that names no mode', null, (line: string) => line],
  ['changed content in agent mode', 'agent', CONTENT],
  ['a vanished task in agent mode', 'agent', (line: string) => (line.includes('by a person') ? '' : line)],
] as const)('%s is refused', (_attack, mode, change) => {
  const repo = aGuardedRepo()
  const [before, forged] = [tipOf(repo), forge(repo, mode, change)]
  expect(underGuard(repo, `$GIT update-ref ${LEDGER} ${forged}`)).toMatchObject({
    code: 128,
    stderr: expect.stringContaining('gza: not allowed for agents: refs/tasks/main: '),
  })
  expect(tipOf(repo)).toBe(before)
})

test('no name of a branch reaches a ledger', () => {
  const repo = aGuardedRepo()
  const before = tipOf(repo)
  const tricks = ['branch -f ../tasks/main HEAD', 'branch -f refs/tasks/main HEAD', 'checkout -qB ../../tasks/main']
  for (const trick of [...tricks, 'branch -M refs/tasks/main', 'tag -f ../tasks/main HEAD'])
    underGuard(repo, `$GIT ${trick}`)
  expect(tipOf(repo)).toBe(before)
})

test('what agents do with gza passes: adding, closing, noting, in the checkout and in a linked worktree', () => {
  const repo = aGuardedRepo()
  const worktree = repo.worktree('feature')
  const script = 'git tasks add "Found while working" && git tasks note 1 "seen" && git tasks done 2'
  expect(underGuard(repo, script)).toMatchObject({ code: 0, stderr: '' })
  expect(underGuard(worktree, 'git tasks add "On the branch"')).toMatchObject({ code: 0, stderr: '' })
  expect(repo.git('log', '--format=%(trailers:key=Mode,valueonly,separator=)', '-3', LEDGER)).toBe(
    'agent\nagent\nagent',
  )
  expect(repo.gza('verify', '--all-branches').code).toBe(0)
})

test('what agents do with git passes: commits, branches, tags, stashes, rebases, fetches, gc and pack-refs', () => {
  const repo = aGuardedRepo()
  repo.commit('second', { 'a.txt': 'two\n' })
  const before = tipOf(repo)
  const script = [
    'git checkout -q -b topic HEAD~1 && echo x > b.txt && git add . && git commit -qm third && git rebase -q main',
    'git tag v1 && git branch -q other && git branch -qD other && echo y >> b.txt && git stash -q && git stash pop -q',
    'git fetch -q origin && git fetch -q --prune origin && git worktree add -q ../wt && git worktree remove --force ../wt',
    'git pack-refs --all && git gc -q && git pack-refs --all --prune && git reflog expire --expire=now HEAD',
  ].join(' && ')
  expect(underGuard(repo, script)).toMatchObject({ code: 0, stderr: '' })
  expect(tipOf(repo)).toBe(before)
  expect(repo.git('log', '--format=%s', 'topic')).toBe('third\nsecond\nfirst')
})

test('a fetch may bring the remote’s ledger forward, and may not rewind it', () => {
  const repo = aGuardedRepo()
  const tracked = 'refs/gza/remotes/origin/tasks/main'
  repo.git('push', '--quiet', 'origin', `${LEDGER}~1:${LEDGER}`)
  repo.git('config', '--add', 'remote.origin.fetch', '+refs/tasks/*:refs/gza/remotes/origin/tasks/*')
  expect(underGuard(repo, 'git fetch -q')).toMatchObject({ code: 0, stderr: '' })
  repo.git('push', '--quiet', 'origin', `${LEDGER}:${LEDGER}`)
  expect(underGuard(repo, 'git fetch -q')).toMatchObject({ code: 0, stderr: '' })
  expect(tipOf(repo, tracked)).toBe(tipOf(repo))
  expect(underGuard(repo, `$GIT update-ref ${tracked} ${LEDGER}~1`).stderr).toContain('ledgers only move forward')
  expect(underGuard(repo, `$GIT update-ref -d ${tracked}`).stderr).toContain('ledgers are not deleted')
})

test('a repository without a ledger, a bare one and one with SHA-256 are guarded alike', () => {
  for (const options of [{}, { bare: true }, { objectFormat: 'sha256' as const }]) {
    const repo = aRepo(options)
    const tree = repo.run(['git', 'mktree'], { stdin: '' }).stdout.trim()
    const commit = repo.git('commit-tree', '-m', 'x', tree)
    expect(underGuard(repo, `$GIT update-ref refs/heads/main ${commit} && git gc -q`)).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(underGuard(repo, `$GIT update-ref ${LEDGER} ${commit}`)).toMatchObject({ code: 128 })
  }
})

test('agent mode itself refuses what only people do', () => {
  const repo = aGuardedRepo()
  for (const call of ['edit 1 --content x', 'delete 1', 'move 1 --to x', 'sync', 'prune', 'undo', 'trust']) {
    const result = underGuard(repo, `gza ${call}`)
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is blocked in agent mode (GZA_AGENT is set)'),
    })
  }
})

function guardedRefs(repo: Repo): string {
  return repo.git('for-each-ref', 'refs/tasks', 'refs/tasks-archive', 'refs/gza', 'refs/replace', 'refs/TASKS')
}
