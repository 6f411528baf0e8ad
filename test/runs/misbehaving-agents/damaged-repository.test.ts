import { expect, test } from 'bun:test'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../../support/repo.ts'
import { aStage, type Stage } from '../../support/scripted-agent.ts'

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
  ['moving the branch of another task', 'git branch -f "$(cat "$stage/other")" HEAD'],
  ['deleting the branch of another task', 'git update-ref -d "refs/heads/$(cat "$stage/other")"'],
  ['moving the base', 'commit b.txt b; git update-ref refs/heads/main HEAD'],
])('%s is refused, and nobody else is harmed', (_, act) => {
  const { stage, remote } = aTarget({ vandal: `${act}; echo "$?" >"$stage/answer"; commit a.txt a` })
  const before = factsOf(stage)
  stage.add('vandal')
  stage.gza('work', '3')
  expect(readFileSync(stage.beside('answer'), 'utf8')).not.toBe('0\n')
  expect(factsOf(stage)).toEqual(before)
  expect(remote.git('for-each-ref')).toBe('')
  expect(stage.gza('verify').code).toBe(0)
})

test('one that only vandalises has done no work', () => {
  const act = 'git push -q origin HEAD; gza edit 2 --content x; git update-ref -d refs/tasks/main; exit 0'
  const { stage } = aTarget({ vandal: act })
  stage.add('vandal')
  stage.gza('work', '3')
  expect(stage.task('3').status).toBe('failed')
})

test.each([
  ['deletes the ledger', 'update-ref -d refs/tasks/main'],
  ['rewinds the ledger', 'update-ref refs/tasks/main "$(git rev-list --max-parents=0 refs/tasks/main)"'],
])('one that %s around the guard has its task failed, and nothing of the ledger is lost', (_, move) => {
  const { stage } = aTarget({ vandal: `commit a.txt a; git -c core.hooksPath=/dev/null ${move}` })
  const before = factsOf(stage)
  stage.add('vandal')
  stage.add('honest')
  stage.gza('work', '--all', '--workers', '2')
  expect(stage.statuses()).toEqual({ earlier: 'completed', later: 'completed', vandal: 'failed', honest: 'completed' })
  expect(stage.inbox()).toMatchObject([{ code: 'TAMPERED', task: { title: 'vandal' } }])
  expect(factsOf(stage)).toMatchObject({ earlier: before.earlier })
})

test('what a person does to the ledger meanwhile is no tampering', () => {
  const wait = 'touch "$stage/here"; until [ -e "$stage/go" ]; do sleep 0.05; done'
  const { stage } = aTarget({ slow: `${wait}; commit a.txt a` })
  stage.add('slow')
  const person = 'until [ -e ../here ]; do sleep 0.05; done; gza add meanwhile && gza note 2 hello; touch ../go'
  const both = stage.run(['sh', '-c', `gza work 3 & ${person}; wait`])
  expect(both.code).toBe(0)
  expect(stage.task('3').status).toBe('completed')
  expect(stage.task('3').notes).toEqual([])
})

test('weakening gza.yaml in its own worktree weakens nothing, and changes no check of any later run', () => {
  const weak = 'sed -i "s/exit 1/exit 0/" gza.yaml; git commit -qam weaker'
  const { stage } = aTarget({ vandal: weak }, { verify: { command: 'test ! -e a.txt || exit 1; exit 1' } })
  stage.add('vandal')
  stage.gza('work', '3')
  expect(stage.task('3').runs).toMatchObject([{ reason: 'verify-failed' }])
})

test('weakening it in the person’s checkout is told, and trusted by no later command', () => {
  const { stage } = aTarget(
    { vandal: 'sed -i "s/exit 1/exit 0/" "$stage/repo/gza.yaml"; commit a.txt a' },
    { verify: { command: 'exit 1' } },
  )
  const trusting = stage.withEnv({ GZA_TRUST: undefined })
  expect(trusting.gza('trust').code).toBe(0)
  stage.add('vandal')
  trusting.gza('work', '3')
  expect(stage.task('3').status).toBe('failed')
  expect(stage.task('3').notes).toEqual([expect.stringContaining('gza.yaml')])
  const refused = trusting.gza('work', '2')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not trusted') })
})

test('a hook that it plants is told', () => {
  const { stage } = aTarget({ vandal: 'echo "echo ha" >"$stage/repo/.git/hooks/pre-commit"; commit a.txt a' })
  stage.add('vandal')
  stage.gza('work', '3')
  expect(stage.task('3').notes).toEqual([expect.stringContaining('hooks/pre-commit')])
})

interface Target {
  stage: Stage
  remote: ReturnType<typeof aRepo>
}

/** A repository with a remote, a task that is completed and one that is not (#1, #2). */
function aTarget(acts: Record<string, string>, config: Record<string, unknown> = {}): Target {
  const remote = aRepo({ bare: true })
  const stage = aStage({ earlier: 'commit earlier.txt x', ...acts }, { defaults: ONCE })
  stage.git('remote', 'add', 'origin', remote.dir)
  stage.add('earlier')
  stage.add('later')
  stage.gza('work', '1')
  stage.run(['sh', '-c', `printf %s '${stage.task('1').branch}' >../other`])
  if (Object.keys(config).length > 0) {
    const lines = Object.entries(config).map(([name, section]) => `${name}: ${JSON.stringify(section)}\n`)
    appendFileSync(join(stage.dir, 'gza.yaml'), lines.join(''))
    stage.commit('configure')
  }
  return { stage, remote }
}

/** What no other task's agent may change. */
function factsOf(stage: Stage) {
  const earlier = stage.task('1')
  return {
    earlier: { ...earlier, tip: stage.git('rev-parse', earlier.branch ?? '') },
    later: stage.task('2').content,
    main: stage.git('rev-parse', 'main'),
  }
}
