import { expect, test } from 'bun:test'
import { anAgentRepo } from '../support/scripted-agent.ts'

/** Everything that a commit's hash is made of is the same: tree, parent, people, times and message. */
const MAKE = `save same.txt same; git add same.txt
GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' git commit -qm 'the same change'`
const TOGETHER = `touch "$beside/done-$title"; until [ -e "$beside/done-one" ] && [ -e "$beside/done-two" ]; do sleep 0.02; done`

test('two agents that make the same commit are not reported, and their work lands once', () => {
  const repo = anAgentRepo(
    { else: `${MAKE}; ${TOGETHER}` },
    { defaults: { max_attempts: 1 }, config: { land: 'merge', verify: { command: 'true' } } },
  )
  repo.add('one')
  repo.add('two')
  repo.gza('work', '--all', '--workers', '2')
  const [one, two] = [repo.task('1'), repo.task('2')]
  expect(one.runs[0]?.head).toBe(two.runs[0]?.head ?? '')
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed' })
  expect(repo.inbox()).toEqual([])
  expect([...one.notes, ...two.notes]).toEqual([])
  expect(
    repo
      .git('log', '--format=%s', 'main')
      .split('\n')
      .filter((subject) => subject === 'the same change'),
  ).toHaveLength(1)
})

test('a commit that an agent has only taken from the branch of another run is still reported', () => {
  const wait = (name: string) => `until [ -e "$beside/${name}" ]; do sleep 0.02; done`
  const repo = anAgentRepo(
    {
      one: `${MAKE}; touch "$beside/made"; ${wait('taken')}`,
      two: `${wait('made')}; git cherry-pick --ff "$(git for-each-ref --format='%(refname)' 'refs/heads/*one')" >/dev/null; touch "$beside/taken"`,
    },
    { defaults: { max_attempts: 1 }, config: { land: 'merge', verify: { command: 'true' } } },
  )
  repo.add('one')
  repo.add('two')
  repo.gza('work', '--all', '--workers', '2')
  const subject = repo.task('2').branch ?? ''
  expect(repo.inbox()).toContainEqual(expect.objectContaining({ code: 'REF_CHANGED', subject }))
})
