import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { subjects } from './finished-tasks.ts'

function landings(repo: AgentRepo, ref: string): string[] {
  const { landings } = repo.task(ref)
  return landings.toSorted((a, b) => Number(a.n) - Number(b.n)).map(({ outcome }) => outcome)
}

test('with land: cherry-pick what agents finish lands while they work, then the base is verified and summed up', () => {
  const log = '"$GZA_VERIFIED"'
  const repo = anAgentRepo({}, { config: { land: 'cherry-pick', verify: { command: `git rev-parse HEAD >>${log}` } } })
  const verified = repo.beside('verified')
  for (const title of ['one', 'two', 'three']) repo.add(title)
  const { stdout } = repo.withEnv({ GZA_VERIFIED: verified }).run(['gza', 'work', '--all', '--workers', '3'])
  for (const number of [1, 2, 3]) expect(stdout).toContain(`✓ Task #${number} landed on main (1 commit)`)
  const tip = repo.git('rev-parse', 'main')
  const end = stdout.slice(stdout.indexOf('✓ Build verification'))
  expect(end).toStartWith(`✓ Build verification passed on main (${tip.slice(0, 7)})\n3 tasks, 100% completed\n`)
  expect(readFileSync(verified, 'utf8').trim().split('\n').at(-1)).toBe(tip)
  expect(subjects(repo).toSorted()).toEqual(['first', 'one: one.txt', 'three: three.txt', 'two: two.txt'])
  for (const file of ['one.txt', 'two.txt', 'three.txt']) expect(existsSync(join(repo.dir, file))).toBe(true)
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(repo.worktrees()).toEqual([])
  for (const ref of ['1', '2', '3']) expect(repo.task(ref).notes).toEqual([])
})

test('a task type can land its own way, and another not at all', () => {
  const repo = anAgentRepo({}, { config: { task_types: { implement: { land: 'squash' } } } })
  repo.add('one')
  repo.add('two', '--type', 'implement')
  outputOf(repo.gza('work', '--all'))
  expect([landings(repo, '1'), landings(repo, '2')]).toEqual([[], ['landed']])
  expect(subjects(repo)).toEqual(['two', 'first'])
})

/** Agents that write into one file without having declared it, and combine both texts when they get the conflict. */
const RESOLVE = [
  'if grep -q "could not land" <<<"$prompt"; then',
  '  git merge -q "$(sed -n "s/.*(git merge \\([0-9a-f]*\\)).*/\\1/p" <<<"$prompt")" >/dev/null 2>&1',
  '  printf "%s\\n" both >shared.txt; git add shared.txt; git commit -q -m "Bring both together"',
  'else commit shared.txt "$title"; fi',
].join('\n')

test('what clashes goes back with the conflict in its next prompt, and lands once it is resolved', () => {
  const repo = anAgentRepo({ else: RESOLVE }, { config: { land: 'cherry-pick' }, files: { 'shared.txt': 'first\n' } })
  repo.add('one')
  repo.add('two')
  const { stdout } = repo.run(['gza', 'work', '--all', '--workers', '2'])
  expect(stdout).toMatch(/Task #[12] is sent back: conflicts in shared\.txt/)
  const outcomes = [landings(repo, '1'), landings(repo, '2')].toSorted((a, b) => a.length - b.length)
  expect(outcomes).toEqual([['landed'], ['conflict', 'landed']])
  expect(repo.git('show', 'main:shared.txt')).toBe('both')
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed' })
  const told = repo
    .calls()
    .map(({ prompt }) => prompt)
    .find((prompt) => prompt.includes('could not land on main'))
  expect(told).toContain('conflicts in shared.txt')
  expect(repo.gza('inbox', '--json').stdout).toBe('[]\n')
})

test('a task that follows conflicting work waits until it is known whether that lands', () => {
  const acts = { 'after*': 'commit "$title.txt" x', else: RESOLVE }
  const repo = anAgentRepo(acts, { config: { land: 'squash' }, files: { 'shared.txt': 'first\n' } })
  repo.add('one')
  repo.add('two')
  repo.add('after one', '--after', '1')
  repo.add('after two', '--after', '2')
  const { stdout, code } = repo.run(['gza', 'work', '--all', '--workers', '2'])
  expect(stdout).toMatch(/Task #[12] is sent back/)
  expect(code).toBe(0)
  expect(new Set(Object.values(repo.statuses()))).toEqual(new Set(['completed']))
  for (const ref of ['1', '2', '3', '4']) expect(landings(repo, ref).at(-1)).toBe('landed')
})

test('tasks that declare one file follow each other: each starts from what the one before has landed', () => {
  const repo = anAgentRepo({ else: 'echo "$title" >>shared.txt' }, { config: { land: 'squash' } })
  for (const title of ['one', 'two', 'three', 'four']) repo.add(title, '--files-to-modify', 'shared.txt')
  const { stdout, code } = repo.run(['gza', 'work', '--all', '--workers', '4'])
  expect(stdout).not.toContain('is sent back')
  expect(code).toBe(0)
  expect(repo.git('show', 'main:shared.txt')).toBe('one\ntwo\nthree\nfour')
})

test('each passes alone, together they fail: the later one goes back, bounded, and is then in the inbox', () => {
  const config = { land: 'squash', verify: { command: 'test ! -e one.txt || test ! -e two.txt' } }
  const repo = anAgentRepo({ else: 'save "$title.txt" "$(wc -l <<<"$prompt")$RANDOM"' }, { config })
  repo.add('one')
  repo.add('two')
  repo.add('three')
  const { stdout, code } = repo.run(['gza', 'work', '--all', '--workers', '2'])
  const [loser, winner] = landings(repo, '1')[0] === 'red' ? ['1', '2'] : ['2', '1']
  expect(landings(repo, winner)).toEqual(['landed'])
  expect(landings(repo, loser)).toEqual(['red', 'red', 'red'])
  expect(landings(repo, '3')).toEqual(['landed'])
  expect(stdout).toContain(`Task #${loser} cannot land, see gza inbox: verification failed with it`)
  expect(repo.task(loser).status).toBe('completed')
  expect(repo.inbox()).toMatchObject([{ code: 'LAND_RED', task: { number: Number(loser) } }])
  expect(repo.why(loser)).toBe('COMPLETED')
  expect(code).toBe(1)
  expect(repo.git('ls-tree', '--name-only', 'main').split('\n')).toContain('three.txt')
})

test('what may not land by itself is in the inbox with its reason', () => {
  const repo = anAgentRepo({ one: 'commit .github/ci.yml x' }, { config: { land: 'merge' } })
  repo.add('one')
  repo.add('two', '--based-on', '1')
  outputOf(repo.gza('work', '--all'))
  expect(repo.git('log', '--format=%s', 'main')).toBe('first')
  expect(repo.inbox()).toMatchObject([
    { code: 'GUARDED_FILES', task: { number: 1 }, commands: ['gza diff 1', 'gza merge 1'] },
    { code: 'DEPENDENCY_NOT_LANDED', task: { number: 2 }, commands: ['gza merge 1 2', 'gza queue'] },
  ])
})

test('a review that was asked for must approve exactly what lands', () => {
  const say = (verdict: string) =>
    `f=$(grep -o "\\.gza/reviews/[^ ]*\\.md" <<<"$prompt" | head -1); save "$f" "**Verdict: ${verdict}**"`
  const repo = anAgentRepo(
    {
      one: 'commit a.txt 1',
      two: 'commit b.txt 1',
      '"Review one"': say('APPROVED'),
      '"Review two"': say('CHANGES_REQUESTED'),
    },
    { config: { land: 'merge' } },
  )
  repo.add('one', '--review')
  repo.add('two', '--review')
  outputOf(repo.gza('work', '--all'))
  expect([landings(repo, '1'), landings(repo, '2')]).toEqual([['landed'], []])
  expect(repo.inbox()).toMatchObject([{ code: 'CHANGES_REQUESTED', task: { number: 4 } }])
  outputOf(repo.gza('edit', '2', '--verdict', 'APPROVED'))
  outputOf(repo.gza('work', '--all'))
  expect(landings(repo, '2')).toEqual(['landed'])
})

test('with a dirty checkout the base stays, the agents continue, and the next work completes the landing', () => {
  const repo = anAgentRepo({}, { config: { land: 'cherry-pick' } })
  repo.add('one')
  repo.add('two')
  repo.write('README.md', 'mine\n')
  const { stdout } = repo.gza('work', '--all')
  expect(stdout).toContain('#1 verified, waiting to land on main: ')
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed' })
  expect(repo.git('log', '--format=%s', 'main')).toBe('first')
  expect(readFileSync(join(repo.dir, 'README.md'), 'utf8')).toBe('mine\n')
  repo.git('checkout', 'README.md')
  const next = outputOf(repo.gza('work', '--all'))
  expect(next).toContain('✓ Task #1 landed on main (1 commit)\n✓ Task #2 landed on main (1 commit)\n')
  expect(subjects(repo)).toEqual(['two: two.txt', 'one: one.txt', 'first'])
})

test('a branch that was put on another history does not land by itself with guarded files', () => {
  const repo = anAgentRepo({}, { config: { land: 'branch' } })
  repo.add('one')
  outputOf(repo.gza('work', '--all'))
  repo.git('checkout', '-q', '--orphan', 'stranger')
  const stranger = repo.commit('stranger', { '.github/ci.yml': 'x\n' })
  repo.git('checkout', '-q', 'main')
  repo.git('branch', '-f', String(repo.task('1').branch), stranger)
  expect(repo.gza('merge', '--all').stdout).toContain('(GUARDED_FILES)')
  expect(repo.git('log', '--format=%s', 'main')).toBe('first')
})
