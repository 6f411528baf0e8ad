import { expect, test } from 'bun:test'
import { dirname } from 'node:path'
import { aRepo, type Repo, type Result } from '../support/repo.ts'
import { aGuardedRepo, underGuard } from './guarded-repo.ts'

const SPELLINGS = [
  '$GIT push',
  '$GIT push origin main',
  '$GIT push --no-verify origin HEAD:refs/heads/x',
  '$GIT push --force origin +HEAD:main',
  '$GIT push --all origin',
  '$GIT push --mirror --no-verify origin',
  '$GIT push --delete origin main',
  '$GIT push --dry-run origin main',
  '$GIT push --no-verify "$REMOTE" HEAD:x',
  '$GIT push --no-verify "file://$REMOTE" HEAD:x',
  '$GIT push --no-verify --repo="$REMOTE" origin HEAD:x',
  '$GIT push --no-verify . HEAD:refs/heads/x',
  '$GIT push --no-verify https://127.0.0.1:9/x.git HEAD:x',
  '$GIT push --no-verify ssh://git@127.0.0.1:9/x.git HEAD:x',
  '$GIT push --no-verify git@127.0.0.1:x.git HEAD:x',
  '$GIT push --no-verify git://127.0.0.1:9/x.git HEAD:x',
  '$GIT -c protocol.ext.allow=always push --no-verify "ext::git-receive-pack $REMOTE" HEAD:x',
  '$GIT -c alias.x=push x --no-verify origin HEAD:x',
  "$GIT -c 'alias.x=!git push' x --no-verify origin HEAD:x",
  'cd .. && $GIT -C "$OLDPWD" push --no-verify origin HEAD:x',
  '$GIT --git-dir=.git push --no-verify origin HEAD:x',
  '$GIT worktree add -q ../w -b w && cd ../w && $GIT push --no-verify origin w',
  '$GIT remote add late "$REMOTE" && $GIT push --no-verify late HEAD:x',
]

const shared = aGuardedRepo()

test.each(SPELLINGS)('%s is refused, in words, and nothing arrives', (spelling) => {
  const repo = shared
  const before = remoteRefs(repo)
  const result = underGuard(repo, `REMOTE=$(git remote get-url origin); ${spelling}`)
  expect(result.code).not.toBe(0)
  expect(result.stderr).toContain('gza: git push is not allowed for agents: pushing is for people\n')
  expect(remoteRefs(repo)).toBe(before)
})

test('the words are there, too, where a login shell has reset PATH', () => {
  const repo = aGuardedRepo()
  const result = underGuard(repo, 'PATH=/usr/local/bin:/usr/bin:/bin git push --no-verify origin main')
  expect(result).toMatchObject({ code: 128, stderr: expect.stringContaining('gza-refuses-push') })
})

test.each(['push', '-C . push', 'send-pack', 'http-push', 'remote-https', '-c a.b=c send-pack'])(
  'git %s is refused by the shim before git starts',
  (call) => {
    const repo = shared
    const before = remoteRefs(repo)
    const result = underGuard(repo, `git ${call} "$(git remote get-url origin)" HEAD:refs/heads/x`)
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not allowed for agents: pushing is for people'),
    })
    expect(remoteRefs(repo)).toBe(before)
  },
)

test('a remote with a pushurl is refused, and its address can still be read where another remote fetches from it', () => {
  const repo = aGuardedRepo()
  const other = aRepo({ bare: true })
  repo.git('config', 'remote.origin.pushurl', other.dir)
  expectRefused(underGuard(repo, '$GIT push --no-verify origin HEAD:x'))
  repo.git('remote', 'add', 'same', other.dir)
  repo.git('config', 'remote.same.pushurl', other.dir)
  expectRefused(underGuard(repo, '$GIT push --no-verify same HEAD:x'))
  expect(other.git('for-each-ref')).toBe('')
  expect(underGuard(repo, 'git ls-remote same').code).toBe(0)
})

test('a remote below a pushInsteadOf of the user’s own is refused; an address typed by hand only by the hook', () => {
  const repo = aGuardedRepo()
  const other = aRepo({ bare: true })
  repo.git('config', `url.${dirname(other.dir)}/.pushInsteadOf`, 'mine:')
  repo.git('remote', 'add', 'short', 'mine:repo')
  expectRefused(underGuard(repo, '$GIT push --no-verify short HEAD:refs/heads/x'))
  expect(underGuard(repo, '$GIT push mine:./repo HEAD:refs/heads/x').stderr).toContain('pushing is for people')
  expect(other.git('for-each-ref')).toBe('')
  expect(underGuard(repo, '$GIT push --no-verify mine:./repo HEAD:refs/heads/x').code).toBe(0)
})

test.each(['GIT_CONFIG_COUNT=0 $GIT', 'env -i PATH="$PATH" HOME="$HOME" git'])(
  'with the settings taken away, %s pushes to a local path',
  (git) => {
    const repo = aGuardedRepo()
    expect(underGuard(repo, `${git} push -q origin HEAD:refs/heads/x`).code).toBe(0)
    expect(remoteRefs(repo)).toContain('refs/heads/x')
  },
)

test('against a pushurl set meanwhile only the hook remains; with --no-verify a push to a local path is only detected', () => {
  const repo = aGuardedRepo()
  const other = aRepo({ bare: true })
  const add = (name: string) =>
    `$GIT config remote.${name}.url ${other.dir} && $GIT config remote.${name}.pushurl ${other.dir}`
  expect(underGuard(repo, `${add('one')} && $GIT push one HEAD:refs/heads/x`).stderr).toContain('pushing is for people')
  expect(other.git('for-each-ref')).toBe('')
  const pushed = underGuard(repo, `${add('two')} && $GIT push --no-verify two HEAD:refs/heads/x`)
  expect([pushed.code, pushed.stderr]).toEqual([1, expect.stringContaining('remote.two.pushurl')])
  expect(other.git('for-each-ref')).not.toBe('')
})

test.each([
  '$GIT send-pack "$REMOTE" HEAD:refs/heads/x',
  'git -c alias.x=send-pack x "$REMOTE" HEAD:refs/heads/x',
  'git -C "$REMOTE" fetch "$PWD" HEAD:refs/heads/x',
])('%s gets through to a local path: nothing in git sees it', (call) => {
  const repo = aGuardedRepo()
  const before = remoteRefs(repo)
  expect(underGuard(repo, `REMOTE=$(git remote get-url origin); ${call}`).code).toBe(0)
  expect(remoteRefs(repo)).not.toBe(before)
})

test.each([
  'git fetch ssh://git@127.0.0.1:9/x.git',
  'git ls-remote git@127.0.0.1:x.git',
  '$GIT send-pack git@127.0.0.1:x HEAD:x',
])('%s is refused: SSH would act in a person’s name', (call) => {
  const result = underGuard(shared, call)
  expect(result).toMatchObject({ code: 128, stderr: expect.stringContaining('gza: SSH is not allowed for agents') })
})

function expectRefused(result: Result): void {
  expect(result).toMatchObject({ stderr: expect.stringContaining('pushing is for people') })
  // 141: the transport had refused and was gone before git had written its first words to it.
  expect([128, 141]).toContain(result.code)
}

function remoteRefs(repo: Repo): string {
  return repo.git('ls-remote', 'origin')
}
