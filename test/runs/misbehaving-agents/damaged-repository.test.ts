import { expect, test } from 'bun:test'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../../support/repo.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'

const ONCE = { max_attempts: 1 }

test.each([
  ['pushing its branch', 'git push -q origin HEAD'],
  ['pushing by force past hooks', 'git push -q --force --no-verify origin HEAD:main'],
  ['editing a task', 'gza edit 2 --content "nothing to do"'],
  ['deleting a task', 'gza delete 2'],
  ['deleting the ledger', 'git update-ref -d refs/tasks/main'],
  ['rewinding the ledger', 'git update-ref refs/tasks/main "$(git rev-list --max-parents=0 refs/tasks/main)"'],
  ['starting agents', 'gza work 2'],
  ['trusting', 'gza trust'],
  ['moving the branch of another task', 'git branch -f "$(cat "$beside/other")" HEAD'],
  ['deleting the branch of another task', 'git update-ref -d "refs/heads/$(cat "$beside/other")"'],
  ['moving the base', 'commit b.txt b; git update-ref refs/heads/main HEAD'],
])('%s is refused, and no other task is harmed', (_, act) => {
  const { repo, remote } = aTarget({ vandal: `${act}; echo "$?" >"$beside/answer"; commit a.txt a` })
  const before = factsOf(repo)
  repo.add('vandal')
  repo.gza('work', '3')
  expect(readFileSync(repo.beside('answer'), 'utf8')).not.toBe('0\n')
  expect(factsOf(repo)).toEqual(before)
  expect(remote.git('for-each-ref')).toBe('')
  expect(repo.gza('verify').code).toBe(0)
})

test('one that only vandalises has done no work', () => {
  const act = 'git push -q origin HEAD; gza edit 2 --content x; git update-ref -d refs/tasks/main; exit 0'
  const { repo } = aTarget({ vandal: act })
  repo.add('vandal')
  repo.gza('work', '3')
  expect(repo.task('3').status).toBe('failed')
})

test.each([
  ['deletes the ledger', 'update-ref -d refs/tasks/main'],
  ['rewinds the ledger', 'update-ref refs/tasks/main "$(git rev-list --max-parents=0 refs/tasks/main)"'],
])('one that %s around the guard has its task failed, and nothing of the ledger is lost', (_, move) => {
  const { repo } = aTarget({ vandal: `commit a.txt a; PATH="\${PATH#*:}" git -c core.hooksPath=/dev/null ${move}` })
  const before = factsOf(repo)
  repo.add('vandal')
  repo.add('honest')
  repo.gza('work', '--all', '--workers', '2')
  expect(repo.statuses()).toEqual({ earlier: 'completed', later: 'completed', vandal: 'failed', honest: 'completed' })
  expect(repo.inbox()).toMatchObject([{ code: 'TAMPERED', task: { title: 'vandal' } }])
  expect(factsOf(repo)).toMatchObject({ earlier: before.earlier })
})

test('what a person does to the ledger meanwhile is not tampering', () => {
  const wait = 'touch "$beside/here"; until [ -e "$beside/go" ]; do sleep 0.05; done'
  const { repo } = aTarget({ slow: `${wait}; commit a.txt a` })
  repo.add('slow')
  const person = 'until [ -e ../here ]; do sleep 0.05; done; gza add meanwhile && gza note 2 hello; touch ../go'
  const both = repo.run(['sh', '-c', `gza work 3 & ${person}; wait`])
  expect(both.code).toBe(0)
  expect(repo.task('3').status).toBe('completed')
  expect(repo.task('3').notes).toEqual([])
})

test('weakening gza.yaml in its own worktree weakens nothing, and changes no check of any later run', () => {
  const weak = 'sed -i "s/exit 1/exit 0/" gza.yaml; git commit -qam weaker'
  const { repo } = aTarget({ vandal: weak }, { verify: { command: 'test ! -e a.txt || exit 1; exit 1' } })
  repo.add('vandal')
  repo.gza('work', '3')
  expect(repo.task('3').runs).toMatchObject([{ reason: 'verify-failed' }])
})

test('weakening it in the person’s checkout is reported, and trusted by no later command', () => {
  const { repo } = aTarget(
    { vandal: 'sed -i "s/exit 1/exit 0/" "$beside/repo/gza.yaml"; commit a.txt a' },
    { verify: { command: 'exit 1' } },
  )
  const trusting = repo.withEnv({ GZA_TRUST: undefined })
  expect(trusting.gza('trust').code).toBe(0)
  repo.add('vandal')
  trusting.gza('work', '3')
  expect(repo.task('3').status).toBe('failed')
  expect(repo.task('3').notes).toEqual([expect.stringContaining('gza.yaml')])
  const refused = trusting.gza('work', '2')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not trusted') })
})

interface Target {
  repo: AgentRepo
  remote: ReturnType<typeof aRepo>
}

/**
 * A repository with a remote, a task that is completed and one that is not (#1, #2). In a box an agent cannot reach most of
 * what these tests damage.
 */
function aTarget(acts: Record<string, string>, config: Record<string, unknown> = {}): Target {
  const remote = aRepo({ bare: true })
  const repo = anAgentRepo({ earlier: 'commit earlier.txt x', ...acts }, { defaults: ONCE, isolation: 'off' })
  repo.git('remote', 'add', 'origin', remote.dir)
  repo.add('earlier')
  repo.add('later')
  repo.gza('work', '1')
  repo.run(['sh', '-c', `printf %s '${repo.task('1').branch}' >../other`])
  if (Object.keys(config).length > 0) {
    const lines = Object.entries(config).map(([name, section]) => `${name}: ${JSON.stringify(section)}\n`)
    appendFileSync(join(repo.dir, 'gza.yaml'), lines.join(''))
    repo.commit('configure')
  }
  return { repo, remote }
}

/** What no other task's agent may change. */
function factsOf(repo: AgentRepo) {
  const earlier = repo.task('1')
  return {
    earlier: { ...earlier, tip: repo.git('rev-parse', earlier.branch ?? '') },
    later: repo.task('2').content,
    main: repo.git('rev-parse', 'main'),
  }
}
