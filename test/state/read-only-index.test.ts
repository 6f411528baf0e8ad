import { expect, test } from 'bun:test'
import { appendFileSync, chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outputOf, rebuiltAnswers, stateFile } from '../support/ledger-answers.ts'
import { aRepo, type Repo, type Result } from '../support/repo.ts'

const NOBODY = '65534'
const isRoot = process.getuid?.() === 0

/** Takes the right to write the index, and to nothing more of the repository. Root has every right, so it acts as the user nobody. */
function lockIndex(repo: Repo): (...args: string[]) => Result {
  const folder = dirname(stateFile(repo))
  if (isRoot) {
    chmodSync(join(repo.dir, '..'), 0o755)
    appendFileSync(join(repo.env.HOME as string, '.gitconfig'), '[safe]\n\tdirectory = *\n')
    outputOf(repo.run(['chown', '-R', `${NOBODY}:${NOBODY}`, '.']))
    outputOf(repo.run(['chown', '-R', '0:0', folder]))
  }
  outputOf(repo.run(['chmod', '-R', 'a-w', folder]))
  const nobody = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  return (...args) => repo.run([...nobody, 'gza', ...args])
}

function unlockIndex(repo: Repo): void {
  outputOf(repo.run(['chmod', '-R', 'u+w', dirname(stateFile(repo))]))
}

test('an index that cannot be written is read while it is current, and left aside once it is stale', () => {
  const repo = aRepo()
  outputOf(repo.gza('add', 'one'))
  outputOf(repo.gza('add', 'two', '--after', '1'))
  outputOf(repo.gza('list'))
  const old = repo.git('rev-parse', 'refs/tasks/main~1')
  const gza = lockIndex(repo)
  try {
    expect(gza('ready', '--json')).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(gza('list', '--json').stdout)).toHaveLength(2)
    repo.git('update-ref', 'refs/tasks/main', old)
    expect(JSON.parse(gza('list', '--json').stdout)).toHaveLength(1)
  } finally {
    unlockIndex(repo)
  }
  const kept = outputOf(repo.gza('export'))
  expect(rebuiltAnswers(repo).export).toBe(kept)
})

test('where it is stale for one ledger only, each ledger has its own tasks, and no other’s', () => {
  const repo = aRepo()
  repo.commit('first')
  outputOf(repo.gza('add', 'on main'))
  for (const content of ['on zed', 'gone again']) outputOf(repo.gza('add', content, '--branch', 'zed', '--create'))
  const gza = lockIndex(repo)
  try {
    repo.git('update-ref', 'refs/tasks/zed', 'refs/tasks/zed~1')
    const listed = JSON.parse(gza('list', '--all-branches', '--json').stdout) as { ledger: string; content: string }[]
    expect(listed.map(({ ledger, content }) => [ledger, content])).toEqual([
      ['main', 'on main'],
      ['zed', 'on zed'],
    ])
    repo.git('branch', 'none')
    const { stderr } = gza('list', '--branch', 'none')
    expect(stderr).toContain('There is 1 open task on zed, a branch that no longer exists')
    expect(stderr).toContain('open tasks on: main (1)')
  } finally {
    unlockIndex(repo)
  }
})

test('a write that cannot take its place in the queue is refused and changes nothing', () => {
  const repo = aRepo()
  outputOf(repo.gza('add', 'one'))
  const tip = repo.git('rev-parse', 'refs/tasks/main')
  const gza = lockIndex(repo)
  try {
    const { code, stdout, stderr } = gza('add', 'two')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('state.db cannot be written')
    expect(repo.git('rev-parse', 'refs/tasks/main')).toBe(tip)
  } finally {
    unlockIndex(repo)
  }
})
