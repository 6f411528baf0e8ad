/** Commits that a task has left unfinished on a branch that it shares with an earlier task. */
import { expect, test } from 'bun:test'
import { outputOf } from '../../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'

const REVIEW = 'case $prompt in "You are reviewing"*) echo "**Verdict: APPROVED**" ;; *) commit one.txt 1 ;; esac'

function files(repo: AgentRepo, ref: string): string[] {
  return repo
    .git('ls-tree', '--name-only', String(repo.task(ref).branch))
    .split('\n')
    .filter((name) => name.endsWith('.txt'))
}

test('stays out of tasks that depend only on the earlier one, out of its review and out of its landing', () => {
  const two = 'test -e half.txt && commit rest.txt 1 || { commit half.txt 1; exit 1; }'
  const repo = anAgentRepo({ one: REVIEW, 'Review*': REVIEW, two }, { defaults: { max_attempts: 1 } })
  repo.add('one')
  repo.add('two', '--based-on', '1', '--same-branch')
  repo.gza('work', '--all')
  const [branch, first] = [repo.task('1').branch, String(repo.task('1').closed_commit)]
  expect(repo.task('2')).toMatchObject({ status: 'failed', branch })

  repo.add('three', '--after', '1')
  repo.add('four', '--based-on', '1', '--same-branch')
  outputOf(repo.gza('work', '--all'))
  expect([files(repo, '3'), files(repo, '4')]).toEqual([
    ['one.txt', 'three.txt'],
    ['four.txt', 'one.txt'],
  ])
  expect(repo.task('4').branch).not.toBe(branch)
  outputOf(repo.gza('review', '1'))
  expect(repo.calls().at(-1)?.prompt).not.toContain('half.txt')
  expect(repo.task('5').runs).toMatchObject([{ head: first, verdict: 'APPROVED' }])
  expect(outputOf(repo.gza('diff', '1', '--stat'))).not.toContain('half.txt')

  expect(outputOf(repo.gza('merge', '1', '--squash'))).toBe('✓ Task #1 landed on main (1 commit)\n')
  expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('half.txt')
  outputOf(repo.gza('merge', '3', '4', '--squash'))
  outputOf(repo.gza('retry', '2'))
  expect(repo.task('2')).toMatchObject({ status: 'completed', branch })
  expect(repo.task('2').commits).toHaveLength(2)
  expect(outputOf(repo.gza('merge', '--all', '--squash'))).toBe('✓ Task #2 landed on main (1 commit)\n')
  expect(repo.git('log', '-4', '--format=%s', 'main').split('\n')).toEqual(['two', 'four', 'three', 'one'])
})

test('stays out after a crash as well, where gza has kept it as a commit', () => {
  const repo = anAgentRepo({ two: 'save half.txt 1; exit 1' }, { defaults: { max_attempts: 1 } })
  repo.add('one')
  repo.add('two', '--based-on', '1', '--same-branch')
  repo.add('three', '--after', '1', '--priority', 'high')
  outputOf(repo.gza('work', '1'))
  expect(repo.withEnv({ GZA_CRASH_AT: 'heard' }).gza('work', '2').code).not.toBe(0)
  outputOf(repo.gza('work', '3'))
  expect(files(repo, '2')).toEqual(['half.txt', 'one.txt'])
  expect(files(repo, '3')).toEqual(['one.txt', 'three.txt'])
})
