import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

/** Each agent waits in its worktree until the person has done everything. One takes the person's commits in first. */
const WORK = `touch "$beside/here-$title"; until [ -e "$beside/go" ]; do sleep 0.05; done
[ "$title" != two ] || { git rebase -q main; touch "$beside/rebased"; }
until [ -e "$beside/rebased" ]; do sleep 0.05; done; commit "$title.txt" "$title"`

const PERSON = `
until [ -e ../here-one ] && [ -e ../here-two ] && [ -e ../here-three ]; do sleep 0.05; done
set -e
git switch -q -c feature && echo f >f.txt && git add f.txt && git commit -qm feature
git switch -q main && echo m >m.txt && git add m.txt && git commit -qm person
git branch another && git tag v1 && git tag -a -m two v2
git fetch -q origin && git branch --set-upstream-to=origin/main main && git branch -q --set-upstream-to=origin/main feature
git merge -q --no-edit feature
echo dirty >>README.md && git stash push -q -m later && echo more >>README.md && git stash push -q -m now && git stash pop -q
git checkout -q README.md
git config user.name Ada && git config remote.origin.prune true && git config branch.main.description "the trunk"
git config alias.lg "log --oneline --graph" && git config --global alias.co checkout && git config core.editor "code --wait"
git remote add backup ../backup.git && git remote set-url backup https://example.com/backup.git
git worktree add -q -b beside ../beside-tree && git -C ../beside-tree commit -q --allow-empty -m beside
git gc -q
touch ../go
`

test('while a person commits, branches, fetches, stashes, tags and sets an upstream, nothing is reported as tampering and all work lands', () => {
  const repo = anAgentRepo({ else: WORK }, { config: { land: 'cherry-pick', verify: { command: 'true' } } })
  const remote = aRepo({ bare: true })
  repo.git('remote', 'add', 'origin', remote.dir)
  repo.git('push', '-q', 'origin', 'main')
  repo.git('branch', 'older')
  repo.write('README.md', 'before\n')
  repo.git('stash', 'push', '-q', '-m', 'before')
  for (const title of ['one', 'two', 'three']) repo.add(title)
  const person = repo.run([
    'sh',
    '-c',
    `gza work --all --workers 3 >../out 2>&1 & { ${PERSON} } || touch ../failed ../go; wait`,
  ])
  expect(person.stderr).toBe('')
  expect(repo.run(['test', '-e', '../failed']).code).toBe(1)
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed', three: 'completed' })
  expect(repo.git('log', '--format=%s', 'main').split('\n')).toEqual(
    expect.arrayContaining(['one: one.txt', 'two: two.txt', 'three: three.txt', 'person', 'feature']),
  )
  // Who added a remote cannot be known: gza asks once, before anything goes there.
  expect(repo.inbox().map(({ code, subject }) => [code, subject])).toEqual([['REMOTE_ADDED', 'remote backup']])
  for (const number of ['1', '2', '3']) {
    const { runs, notes } = repo.task(number)
    expect(runs).toMatchObject([{ outcome: 'completed' }])
    expect(notes.filter((note) => !/checkout moved|changed outside/.test(note))).toEqual([])
  }
  expect(repo.git('stash', 'list', '--format=%gs')).toBe('On main: later\nOn main: before')
  expect(repo.git('config', 'branch.main.merge')).toBe('refs/heads/main')
  expect(repo.git('config', 'user.name')).toBe('Ada')
  expect(repo.git('lg', '-1', '--format=%s', 'older')).toContain('first')
  expect(repo.git('config', 'alias.co')).toBe('checkout')
  expect(repo.git('config', 'core.editor')).toBe('code --wait')
  expect(repo.git('config', 'remote.backup.url')).toBe('https://example.com/backup.git')
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/gza/kept')).toBe('')
})
