/**
 * What people do in a repository while three agents work in it. Nothing of it is in the inbox, undone, or keeps work from
 * landing. What an agent could do in the same way is a note on the task.
 */
import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'

const branchOf = (title: string) => `$(git for-each-ref --format='%(refname:short)' 'refs/heads/*-${title}')`

/** Each in the order in which it is done, on `main`, with a clean checkout before and after. */
const THINGS: [name: string, act: string][] = [
  ['amends', 'git switch -q feature; git commit -q --amend -m amended; git switch -q main'],
  [
    'rebases interactively',
    'git switch -q feature; GIT_SEQUENCE_EDITOR="sed -i 1d" git rebase -q -i HEAD~2; git switch -q main',
  ],
  ['amends in another worktree', 'git -C ../beside commit -q --amend --allow-empty -m better'],
  [
    'adds a worktree',
    'git worktree add -q -b third ../third; git -C ../third commit -q --allow-empty -m third; git worktree remove ../third',
  ],
  ['commits and pulls with a rebase', 'git commit -q --allow-empty -m mine; git pull -q --rebase origin main'],
  ['rebases onto it', 'git switch -q feature; git rebase -q main; git switch -q main'],
  ['resets to the remote', 'git reset -q --hard origin/main'],
  ['commits, and reverts it', 'echo x >x.txt; git add x.txt; git commit -qm x; git revert --no-edit HEAD >/dev/null'],
  ['picks a commit of an agent', `git cherry-pick ${branchOf('one')} >/dev/null; git reset -q --hard HEAD~1`],
  ['merges finished work by hand', `git merge -q --no-edit ${branchOf('waiting')}`],
  ['deletes the branch of landed work', `git branch -q -D ${branchOf('landed')}`],
  ['renames a branch', 'git branch -m feature renamed'],
  ['switches with -C', 'git switch -q -C older main; git switch -q main'],
  ['moves a tag forward', 'git tag -f nightly >/dev/null'],
  ['pops a stash and continues', 'git stash pop -q; echo more >>README.md; git commit -qam popped'],
  [
    'configures',
    'git config user.name Ada; git config alias.st status; git config pull.rebase true; git config rerere.enabled true',
  ],
  [
    'maintains',
    'git gc -q; git maintenance run --quiet; git pack-refs --all; git reflog expire --expire=90.days --all',
  ],
  ['bisects', 'git bisect start HEAD HEAD~2 >/dev/null; git bisect reset >/dev/null 2>&1'],
  [
    'fetches and prunes',
    'git -C ../other push -q origin HEAD:tmp; git fetch -q; git -C ../other push -q origin :tmp; git fetch -q --prune',
  ],
  ['ignores', 'echo "*.log" >>.git/info/exclude'],
  ['initialises submodules', 'git submodule --quiet update --init'],
  [
    'detaches and commits',
    'git switch -q --detach; git commit -q --allow-empty -m loose; git switch -q main 2>/dev/null',
  ],
  ['annotates', 'git notes add -m hello HEAD; git notes append -m more HEAD'],
]

const WAITS = `commit "$title.txt" "$title"; touch "$beside/here-$title"; until [ -e "$beside/go" ]; do sleep 0.05; done; commit "$title-2.txt" "$title"`

function aBusyRepo(): AgentRepo {
  const repo = anAgentRepo(
    { landed: 'commit landed.txt l', waiting: 'commit .mcp.json w', else: WAITS },
    { defaults: { max_attempts: 1 }, config: { land: 'cherry-pick', verify: { command: 'true' } } },
  )
  const remote = aRepo({ bare: true })
  for (const title of ['landed', 'waiting', 'one', 'two', 'three']) repo.add(title)
  repo.gza('work', '1', '2')
  repo.git('remote', 'add', 'origin', remote.dir)
  repo.git('push', '-q', '-u', 'origin', 'main')
  repo.git('clone', '-q', '-b', 'main', remote.dir, '../other')
  for (const name of ['older', 'beside']) repo.git('branch', name)
  repo.git('worktree', 'add', '-q', '../beside', 'beside')
  repo.git('tag', 'nightly')
  repo.git('switch', '-q', '-c', 'feature')
  for (const file of ['f.txt', 'g.txt']) repo.commit(file, { [file]: file })
  repo.git('switch', '-q', 'main')
  repo.write('README.md', 'hello\nsomething for later\n')
  repo.git('stash', 'push', '-q', '-m', 'later')
  repo.run(['sh', '-c', 'cd ../other && git commit -q --allow-empty -m theirs && git push -q'])
  return repo
}

/** An agent with hooks off could do them in the person's checkout, and git would log it in the same way. */
const NOTED = [
  'During the run an entry of the stash was dropped',
  'During the run refs/heads/beside was moved, and not forward',
  'During the run refs/heads/feature was deleted',
  'During the run refs/heads/landed was deleted',
  'During the run refs/heads/main got commits of a run that has not landed',
]

test('ordinary things of a person need nobody, stay as they are, and all work lands', () => {
  const repo = aBusyRepo()
  const things = THINGS.map(([name, act]) => `( set -e; ${act} ) || echo "${name}" >>../failed`).join('\n')
  const here = ['one', 'two', 'three'].map((title) => `[ -e ../here-${title} ]`).join(' && ')
  const script = `gza work --all --workers 3 >../log 2>&1 & until ${here}; do sleep 0.05; done\n${things}\ntouch ../go; wait`
  repo.run(['sh', '-c', script])
  expect(repo.run(['cat', '../failed']).stdout).toBe('')
  expect(repo.inbox()).toEqual([])
  for (const number of ['3', '4', '5']) {
    const { status, landings, notes } = repo.task(number)
    expect([status, landings.map(({ outcome }) => outcome)]).toEqual(['completed', ['landed']])
    const told = notes.filter((note) => !/checkout moved|changed outside/.test(note))
    expect(told.map((note) => note.replace(/ \(\w+( → \w+)?\)|\d{8}-/g, '')).sort()).toEqual(NOTED)
  }
  expect(repo.git('log', '--format=%s', 'renamed').split('\n')).toContain('amended')
  expect(repo.git('log', '--format=%s', 'main').split('\n')).toEqual(
    expect.arrayContaining(['popped', 'waiting: .mcp.json', 'theirs']),
  )
  expect(repo.git('show', 'main:README.md')).toBe('hello\nsomething for later\nmore')
  expect(repo.git('log', '-1', '--format=%s', 'beside')).toBe('better')
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/gza/kept')).toBe('')
  expect(repo.git('config', 'alias.st')).toBe('status')
})

test('what git logs only for the branch, and what is lost, is still reported', () => {
  const repo = aBusyRepo()
  const act =
    'git branch -f older HEAD~1; git tag -f nightly HEAD~1 >/dev/null; git stash drop -q; git branch -q -D feature'
  const here = ['one', 'two', 'three'].map((title) => `[ -e ../here-${title} ]`).join(' && ')
  repo.run([
    'sh',
    '-c',
    `gza work --all --workers 3 >../log 2>&1 & until ${here}; do sleep 0.05; done; ${act}; touch ../go; wait`,
  ])
  const found = repo
    .inbox()
    .flatMap(({ code, subject }) => (code === 'REF_CHANGED' ? [subject?.replace(/ .*/, '')] : []))
  expect(found).toEqual(['feature', 'older', 'refs/tags/nightly', 'stash'])
})
