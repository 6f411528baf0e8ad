/** People commit on the branches of runs whose agents work in a box. Nothing of theirs is undone, and it lands with the work. */
import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from './isolated-repo.ts'

const [level = 'unshare'] = LEVELS
const WAIT = 'touch "$beside/here"; until [ -e "$beside/go" ]; do sleep 0.02; done'

/** What a person does while the agent waits for `go`. */
async function meanwhile(
  repo: IsolatedRepo,
  act: (repo: IsolatedRepo, branch: string, worktree: string) => void,
): Promise<string> {
  repo.add('task')
  const work = spawnProgram(repo, repo.commandLine('work', '1'))
  await until(() => existsSync(repo.beside('here')))
  const [worktree = ''] = repo.worktrees()
  act(repo, repo.git('-C', worktree, 'branch', '--show-current'), worktree)
  writeFileSync(repo.beside('go'), '')
  await work.ended
  return work.printed()
}

function commitIn(repo: IsolatedRepo, path: string, file = 'p.txt'): void {
  writeFileSync(`${path}/${file}`, 'by a person\n')
  repo.git('-C', path, 'add', file)
  repo.git('-C', path, 'commit', '-q', '-m', 'personal', '--', file)
}

function elsewhere(repo: IsolatedRepo, branch: string): void {
  repo.git('switch', '-q', '--ignore-other-worktrees', branch)
  commitIn(repo, repo.dir)
  repo.git('switch', '-q', 'main')
}

function aRepoWith(act: string, config: Record<string, unknown> = {}): IsolatedRepo {
  return anIsolatedRepo(
    level,
    { task: act },
    { defaults: { max_attempts: 1 }, config: { land: 'cherry-pick', verify: { command: 'true' }, ...config } },
  )
}

const filesOn = (repo: IsolatedRepo, branch: string) => repo.git('ls-tree', '--name-only', branch).split('\n')
const THEIRS = ['README.md', 'a.txt', 'b.txt', 'gza.yaml', 'p.txt']

const AGENTS = {
  'commits all it has': `commit a.txt a; ${WAIT}; save b.txt b; git add --all; git commit -qm b`,
  'leaves its file uncommitted': `commit a.txt a; ${WAIT}; save b.txt b`,
  'commits nothing': `save a.txt a; save b.txt b; ${WAIT}`,
}
const PERSONS = {
  'in another checkout': (repo: IsolatedRepo, branch: string) => elsewhere(repo, branch),
  'in its worktree': (repo: IsolatedRepo, _: string, worktree: string) => commitIn(repo, worktree),
}

for (const [where, person] of Object.entries(PERSONS)) {
  for (const [what, agent] of Object.entries(AGENTS)) {
    test(`a person's commit ${where} stays and lands with the work of an agent that ${what}`, async () => {
      const repo = aRepoWith(agent)
      const printed = await meanwhile(repo, person)
      expect(repo.task('1').runs, printed).toMatchObject([{ outcome: 'completed', isolation: level }])
      expect(repo.inbox()).toEqual([])
      expect(filesOn(repo, 'main')).toEqual(THEIRS)
      expect(repo.git('show', 'main:p.txt')).toBe('by a person')
      expect(repo.git('log', '--format=%s', '--', 'p.txt')).toBe('personal')
      expectNothingLeft(repo)
    })
  }
}

test('if both have changed the same file, the attempt fails, names both commits and keeps both', async () => {
  const repo = aRepoWith(`commit p.txt a; ${WAIT}; commit p.txt b; save left.txt left`)
  await meanwhile(repo, elsewhere)
  const { runs, branch } = repo.task('1')
  const [run] = runs
  const persons = repo.git('rev-parse', '--short=10', `${branch}`)
  expect(run).toMatchObject({ outcome: 'failed', reason: 'dirty-tree' })
  expect(run?.detail).toContain(`${persons}, which others have put on ${branch} meanwhile`)
  const [kept = ''] = /refs\/gza\/kept\/\S+/.exec(String(run?.detail)) ?? []
  expect(repo.git('show', `${branch}:p.txt`)).toBe('by a person')
  expect(repo.git('show', `${kept}:p.txt`)).toBe('b')
  expect(repo.git('show', `${kept}:left.txt`)).toBe('left')
  expect(repo.worktrees()).toEqual([])
})

test('a commit that arrives during the check, in another checkout, is taken in and checked too', async () => {
  const check = `[ -e a.txt ] || exit 0; [ -e p.txt ] && echo with >>"$GZA_TEST_BESIDE/checks" || { touch "$GZA_TEST_BESIDE/here"; until [ -e "$GZA_TEST_BESIDE/go" ]; do sleep 0.02; done; }`
  const plain = aRepoWith('commit a.txt a', { land: 'branch', verify: { command: check } })
  const repo = { ...plain, ...plain.withEnv({ GZA_TEST_BESIDE: plain.beside('.') }) }
  const printed = await meanwhile(repo, elsewhere)
  const { branch, runs } = repo.task('1')
  expect(runs, printed).toMatchObject([{ outcome: 'completed', head: repo.git('rev-parse', branch ?? '') }])
  expect(filesOn(repo, branch ?? '')).toEqual(['README.md', 'a.txt', 'gza.yaml', 'p.txt'])
  expect(repo.run(['cat', repo.beside('checks')]).stdout).toBe('with\n')
})
