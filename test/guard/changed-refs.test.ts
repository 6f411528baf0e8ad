import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import type { InboxItem } from '../../src/reports/inbox-item.ts'
import type { AgentRepo, AgentRepoOptions } from '../support/scripted-agent.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

/** Git without the guard's shim and hooks. */
const FREE = `free() { PATH="\${PATH#*:}" command git -c core.hooksPath=/dev/null "$@"; }\n`
const LANDS: AgentRepoOptions = { defaults: { max_attempts: 1 }, config: { land: 'merge' } }

/** A repository in which a person has branches, tags and a stash. */
function aPersonsRepo(acts: Record<string, string>, options: AgentRepoOptions = LANDS): AgentRepo {
  const repo = anUnboxedRepo(acts, options)
  const first = repo.git('rev-parse', 'HEAD')
  repo.commit('second', { 'two.txt': 'two\n' })
  for (const name of ['topic', 'doomed', 'hand']) repo.git('branch', name)
  repo.git('branch', 'behind', first)
  repo.git('tag', 'v1')
  repo.git('tag', '-a', '-m', 'annotated', 'v2')
  for (const text of ['older', 'newer']) {
    repo.write('README.md', `${text}\n`)
    repo.git('stash', 'push', '--quiet', '--message', text)
  }
  return repo
}

/** Refs and stash entries, without what gza itself adds. */
function refsOf(repo: AgentRepo): string {
  const refs = repo.git('for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags')
  const own = refs.split('\n').filter((line) => !/refs\/heads\/\d{8}-/.test(line))
  return [...own, repo.git('stash', 'list', '--format=%H')].join('\n')
}

const MOVES = [
  'git branch -D topic',
  'git branch -f topic behind',
  'git update-ref -d refs/heads/doomed',
  'git branch -m hand other',
  'git tag -d v1',
  'git tag -f v2',
  'git symbolic-ref refs/heads/topic refs/heads/main',
  'git symbolic-ref --delete refs/heads/doomed',
  'git stash drop',
  'git stash drop 1',
  'git stash pop -q',
  'git stash pop stash@{1}',
  'git stash branch fromstash',
  'git stash clear',
  'git reflog delete --updateref --rewrite stash@{0}',
  'git push . HEAD:main',
  'git update-ref refs/heads/main behind',
]
const TRY_ALL = MOVES.map((move) => `${move} >/dev/null 2>&1 && echo "${move}" >>"$beside/allowed"\n`).join('')
/** What is ordinary stays allowed. */
const ORDINARY = `git branch mine && git tag mine && echo x >x.txt && git add x.txt && git stash -q && git stash pop -q &&
git branch -D mine && git tag -d mine && git symbolic-ref HEAD && git reset -q && rm x.txt && echo fine >"$beside/ordinary"\n`

test('neither an agent nor a check nor landing’s check moves a person’s branches, tags and stashes', () => {
  const check = `beside=$GZA_TEST_BESIDE\n${TRY_ALL}true`
  const repo = aPersonsRepo(
    { vandal: `commit a.txt a\n${TRY_ALL}${ORDINARY}` },
    {
      ...LANDS,
      config: { land: 'merge', verify: { command: check } },
    },
  )
  const before = refsOf(repo)
  const main = repo.git('rev-parse', 'main')
  repo.add('vandal')
  const { stdout } = repo.withEnv({ GZA_TEST_BESIDE: repo.beside('.') }).gza('work')
  expect(repo.run(['cat', repo.beside('allowed')]).stdout).toBe('')
  expect(repo.run(['cat', repo.beside('ordinary')]).stdout).toBe('fine\n')
  expect(stdout).toContain('Task #1 landed on main')
  expect(refsOf(repo).replace(repo.git('rev-parse', 'main'), main)).toBe(before)
  expect(repo.inbox()).toEqual([])
})

test('what goes around the guard is not put back, is in the inbox with old and new value, and does not land by itself', () => {
  const act = [
    FREE,
    'commit a.txt a',
    'free branch -q -D doomed; free tag -d v1; free stash drop -q; free branch -f topic behind',
    'git rev-parse behind >"$(git rev-parse --git-common-dir)/refs/heads/hand"',
    'free update-ref refs/heads/main HEAD',
  ].join('\n')
  const repo = aPersonsRepo({ vandal: act })
  const [old, annotated] = [repo.git('rev-parse', 'doomed'), repo.git('rev-parse', 'v1')]
  const stash = repo.git('rev-parse', 'stash@{0}')
  const behind = repo.git('rev-parse', 'behind')
  repo.add('vandal')
  repo.gza('work')
  expect(repo.statuses()).toEqual({ vandal: 'completed' })
  const found = repo.inbox().filter(({ code }) => code === 'REF_CHANGED')
  expect(found.map(({ subject, commands }) => [subject, commands[0]])).toEqual([
    ['doomed', `git branch doomed ${old}`],
    ['hand', `git update-ref refs/heads/hand ${old} ${behind}`],
    ['main', `git update-ref refs/heads/main ${old} ${repo.git('rev-parse', 'main')}`],
    ['refs/tags/v1', `git tag v1 ${annotated}`],
    [`stash ${stash.slice(0, 10)}`, expect.stringMatching(/^git stash store -m .* [0-9a-f]{40}$/)],
    ['topic', `git update-ref refs/heads/topic ${old} ${behind}`],
  ])
  expect(found[0]?.detail).toContain(`refs/heads/doomed: ${old} → nothing`)
  // Nothing was undone, and nothing can be lost by a gc.
  expect(repo.run(['git', 'rev-parse', '--verify', '--quiet', 'doomed']).code).toBe(1)
  expect(repo.git('for-each-ref', '--format=%(objectname)', 'refs/gza/kept').split('\n')).toContain(stash)
  for (const { commands } of found) expect(repo.run(['sh', '-c', commands[0] ?? 'false'])).toMatchObject({ code: 0 })
  expect([repo.git('rev-parse', 'doomed'), repo.git('rev-parse', 'topic'), repo.git('rev-parse', 'v1')]).toEqual([
    old,
    old,
    annotated,
  ])
  expect(repo.git('stash', 'list', '--format=%H')).toContain(stash)
})

test('the base that gets unlanded commits is found also after another task has landed on it, and with a forged intent', () => {
  const merge = 'free commit-tree "$(free merge-tree --write-tree main HEAD)" -p main -p HEAD -m merged'
  const act = [
    `${FREE} commit a.txt a`,
    'until free log --format=%s main | grep -q "honest.txt" && ! free show-ref -q refs/gza/land/main; do sleep 0.05; done',
    'free update-ref refs/gza/land-intent/main HEAD',
    `free update-ref refs/heads/main "$(${merge})"`,
  ].join('\n')
  const repo = aPersonsRepo({ vandal: act })
  repo.add('vandal')
  repo.add('honest')
  repo.gza('work', '1', '2', '--workers', '2')
  expect(repo.task('2').landings).toMatchObject([{ outcome: 'landed' }])
  expect(repo.inbox()).toMatchObject([{ code: 'REF_CHANGED', subject: 'main' }])
})

test('an agent that merges its own commits in the person’s checkout is found, though git logs it as the person’s', () => {
  const repo = aPersonsRepo({
    vandal: `${FREE} commit a.txt a; free -C "$beside/repo" merge -q "$(git rev-parse HEAD)"`,
  })
  repo.add('vandal')
  repo.gza('work')
  expect(repo.git('log', '-1', '--format=%s', 'main')).toBe('vandal: a.txt')
  expect(repo.inbox()).toContainEqual(expect.objectContaining({ code: 'REF_CHANGED', subject: 'main' }))
  expect(repo.task('1').landings).toEqual([])
})

test('an agent that amends in the person’s checkout is noted on its task with both commits', () => {
  const act = `${FREE}( cd "$person"; free switch -q topic; free commit -q --amend --allow-empty -m mine; free switch -q main )\ncommit a.txt a`
  const repo = aPersonsRepo({ vandal: act })
  const before = repo.git('rev-parse', '--short=10', 'topic')
  repo.add('vandal')
  repo.withEnv({ person: repo.dir }).gza('work')
  const note = `During the run refs/heads/topic was moved, and not forward (${before} → ${repo.git('rev-parse', '--short=10', 'topic')})`
  expect(repo.task('1').notes.filter((text) => text.includes('topic'))).toEqual([note])
  expect(repo.inbox()).toEqual([])
})

test('an agent does not move the branch of a run that started after it', () => {
  const wait = (name: string) => `until [ -e "$beside/${name}" ]; do sleep 0.05; done`
  const repo = aPersonsRepo({
    vandal: `commit a.txt a; touch "$beside/here"; ${wait('there')}
git update-ref -d "$(git for-each-ref --format='%(refname)' 'refs/heads/*victim')" && touch "$beside/deleted"; touch "$beside/go"`,
    victim: `commit b.txt b; touch "$beside/there"; ${wait('go')}`,
  })
  repo.add('vandal')
  repo.add('victim')
  repo.run(['sh', '-c', `gza work 1 & until [ -e ../here ]; do sleep 0.05; done; gza work 2; wait`])
  expect(repo.run(['test', '-e', repo.beside('deleted')]).code).toBe(1)
  expect(repo.statuses()).toEqual({ vandal: 'completed', victim: 'completed' })
})

test('finished work waits for a person while such a change is in the inbox', () => {
  const repo = aPersonsRepo({ vandal: `${FREE} commit a.txt a; free branch -q -D doomed` })
  repo.add('vandal')
  repo.gza('work')
  expect(repo.task('1').status).toBe('completed')
  expect(repo.git('log', '--format=%s', '-1', 'main')).toBe('second')
  expect(repo.gza('queue').stdout).toContain('REFS_CHANGED')
  expect(repo.gza('resolve', 'doomed', '--skip').code).toBe(0)
  repo.add('next')
  repo.gza('work')
  expect(repo.git('log', '--format=%s', 'main')).toContain('vandal')
})

test('a branch that becomes a symbolic ref is tampering, and is put back', () => {
  const repo = aPersonsRepo({ vandal: `${FREE} commit a.txt a; free symbolic-ref refs/heads/topic refs/heads/main` })
  const old = repo.git('rev-parse', 'topic')
  repo.add('vandal')
  repo.gza('work')
  expect(repo.inbox()).toMatchObject([{ code: 'TAMPERED', detail: expect.stringContaining('refs/heads/topic') }])
  expect(repo.run(['git', 'symbolic-ref', '--quiet', 'refs/heads/topic']).code).toBe(1)
  expect(repo.git('rev-parse', 'topic')).toBe(old)
  expect(repo.git('rev-parse', 'main')).toBe(old)
})

test.each([
  ['symbolic-ref', 'free -C "$beside/repo" symbolic-ref HEAD refs/heads/topic', 'HEAD', 'ref: refs/heads/topic'],
  ['the file', 'echo "ref: refs/heads/topic" >"$common/HEAD"', 'HEAD', 'ref: refs/heads/topic'],
  ['a commit in the file', 'free rev-parse behind >"$common/HEAD"', 'HEAD', null],
  ['a new commit of no run, with update-ref', 'free update-ref refs/heads/main "$new"', 'main', null],
  ['one in the file of the branch', 'echo "$new" >"$common/refs/heads/main"', 'main', null],
])(
  'what the person has checked out and an agent moves by %s stays, is in the inbox, and the work waits',
  (_, act, subject, to) => {
    const make =
      'new=$(free commit-tree -p main -m forged "main^{tree}"); common=$(free rev-parse --path-format=absolute --git-common-dir)'
    const repo = aPersonsRepo({ vandal: `${FREE} commit a.txt a; ${make}\n${act}` })
    const before = repo.git('rev-parse', 'main')
    repo.add('vandal')
    repo.gza('work')
    const branch = repo.run(['git', 'symbolic-ref', '-q', 'HEAD']).code === 0 ? [] : ['--branch', 'main']
    const items: InboxItem[] = JSON.parse(repo.gza('inbox', '--json', ...branch).stdout)
    const item = items.find(({ code }) => code === 'REF_CHANGED')
    expect(item?.subject).toBe(subject)
    if (to !== null) expect(item?.detail).toContain(`HEAD: ref: refs/heads/main → ${to}`)
    expect(repo.run(['sh', '-c', item?.commands[0] ?? 'false']).code).toBe(0)
    expect(repo.inbox().map(({ code }) => code)).toContain('REFS_CHANGED')
    expect([repo.git('symbolic-ref', 'HEAD'), repo.git('rev-parse', 'main')]).toEqual(['refs/heads/main', before])
  },
)

test('a person who switches, renames, rebases and begins a branch meanwhile is not mentioned', () => {
  const wait = 'touch "$beside/here"; until [ -e "$beside/go" ]; do sleep 0.02; done; commit a.txt a'
  const repo = aPersonsRepo({ slow: wait })
  repo.add('slow')
  const person = [
    'git switch -q topic && git commit -q --allow-empty -m mine && git rebase -q main',
    'git branch -q -m topic renamed && git branch topic && git checkout -q --detach && git switch -q main',
    'git commit -q --allow-empty -m more && git switch -q --orphan pages && git commit -q --allow-empty -m pages',
  ].join(' && ')
  repo.run([
    'sh',
    '-c',
    `gza work >../log 2>&1 & until [ -e ../here ]; do sleep 0.02; done; ${person} || touch ../failed; touch ../go; wait`,
  ])
  expect(repo.run(['test', '-e', '../failed']).code).toBe(1)
  expect(repo.inbox().filter(({ code }) => code === 'REF_CHANGED')).toEqual([])
  expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/pages')
})

test('one that kills gza after it has deleted a branch is found by the next command that works', () => {
  const repo = aPersonsRepo({
    vandal: `${FREE} commit a.txt a; free branch -q -D doomed; [ -e "$beside/again" ] || { touch "$beside/again"; kill -9 $PPID; }`,
  })
  repo.add('vandal')
  repo.gza('work')
  expect(repo.inbox().map(({ code }) => code)).not.toContain('REF_CHANGED')
  repo.gza('work')
  expect(repo.inbox()).toMatchObject([{ code: 'REF_CHANGED', subject: 'doomed' }, { code: 'REFS_CHANGED' }])
})

test('in the person’s own tree the branch only moves forward from where it stood', () => {
  const act = [
    'commit a.txt a',
    'git commit -q --amend -m better && echo amended >>"$beside/did"',
    'git reset -q --hard HEAD~2 2>/dev/null && echo rewound >>"$beside/did"',
    'git update-ref -d refs/heads/main 2>/dev/null && echo deleted >>"$beside/did"',
    'git tasks done "$task"',
  ].join('\n')
  const repo = aPersonsRepo({ careless: act }, {})
  const start = repo.git('rev-parse', 'main')
  repo.add('careless')
  repo.run(['git-tasks', 'run', '--once'])
  expect(repo.run(['cat', repo.beside('did')]).stdout).toBe('amended\n')
  expect(repo.git('rev-parse', 'main~1')).toBe(start)
})

test('gza guard names what changed', () => {
  const repo = aPersonsRepo({})
  writeFileSync(repo.beside('script'), `${FREE} free branch -q -D doomed`)
  const { stderr } = repo.run(['gza', 'guard', '--', 'sh', repo.beside('script')])
  expect(stderr).toContain('refs/heads/doomed was deleted')
})
