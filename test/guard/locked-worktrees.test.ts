import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

const wait = (name: string) => `until [ -e "$beside/${name}" ]; do sleep 0.05; done`
/** The worktree of the task with the title `victim`. */
const PLACE = `place=$(git worktree list --porcelain | sed -n 's/^worktree //p' | grep victim)`

/** A victim that waits in the middle of its work, and another agent that acts on its worktree meanwhile. */
function actingOn(act: string, victim = 'echo left >left.txt'): AgentRepo {
  const repo = anUnboxedRepo(
    {
      vandal: `commit a.txt a; ${wait('there')}; ${PLACE}; { ${act}; } >"$beside/answer" 2>&1; touch "$beside/go"`,
      victim: `commit b.txt b; echo left >left.txt; [ -e "$beside/there" ] || { touch "$beside/there"; ${wait('go')}; }; ${victim}`,
    },
    { defaults: { max_attempts: 2 }, config: { land: 'merge' } },
  )
  repo.add('vandal')
  repo.add('victim')
  return repo
}

test('git does not remove the worktree of a living run, whatever its state, and gza itself does', () => {
  const repo = actingOn(
    'git worktree remove --force "$place"; git worktree move "$place" "$beside/moved"; git worktree prune --expire=now; git worktree list --porcelain',
  )
  repo.gza('work', '--all', '--workers', '2')
  const answer = readFileSync(repo.beside('answer'), 'utf8')
  expect(answer).toMatch(/cannot remove a locked working tree, lock reason: gza: task-\w+ is being worked on here/)
  expect(answer).toMatch(/cannot move a locked working tree/)
  expect(answer.match(/^locked gza: task-/gm)?.length).toBe(2)
  expect(repo.statuses()).toEqual({ vandal: 'completed', victim: 'completed' })
  expect(repo.task('2').runs?.map(({ outcome }) => outcome)).toEqual(['completed'])
  expect(repo.git('show', 'main:left.txt')).toBe('left')
  expect(repo.worktrees()).toEqual([])
})

test('a worktree that an agent removes by force is noticed, its commits stay, and the next attempt continues with them', () => {
  const repo = actingOn(
    'git worktree remove --force --force "$place"',
    'git log --format=%s >"$beside/history"; commit c.txt c',
  )
  repo.gza('work', '--all', '--workers', '2')
  const [first] = repo.task('2').runs ?? []
  expect(first).toMatchObject({ outcome: 'failed', reason: 'dirty-tree' })
  expect(first?.detail).toMatch(
    /^the worktree was removed while the agent worked: its commits are on \S+victim, and what was not committed is lost$/,
  )
  expect(repo.task('2').landings).toMatchObject([{ outcome: 'landed' }])
  expect(readFileSync(repo.beside('history'), 'utf8')).toContain('victim: b.txt')
  expect(repo.worktrees()).toEqual([])
})

test('the lock ends with the run: a worktree that stays is free, and that of a killed gza is unlocked by the next work', () => {
  const repo = anUnboxedRepo(
    {
      kept: 'commit a.txt a; echo key >id_rsa',
      killed: `commit b.txt b; [ -e "$beside/dead" ] || { touch "$beside/dead"; kill -9 $PPID; forever; }`,
    },
    { defaults: { max_attempts: 1 } },
  )
  repo.add('kept')
  repo.add('killed')
  repo.gza('work', '1')
  expect(repo.worktrees()).toHaveLength(1)
  expect(repo.git('worktree', 'list', '--porcelain')).not.toContain('locked')
  repo.gza('work', '2')
  expect(existsSync(repo.beside('dead'))).toBe(true)
  expect(repo.git('worktree', 'list', '--porcelain')).toContain('locked gza: task-')
  repo.gza('work', '2')
  expect(repo.task('2').status).toBe('completed')
  expect(repo.worktrees()).toHaveLength(1)
  expect(repo.git('worktree', 'list', '--porcelain')).not.toContain('locked')
})
