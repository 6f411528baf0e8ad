/** What is compared after a landing's check or after a crash, while the runs of other tasks have gone on and ended. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'

const SIGKILLED = 137
const wait = (name: string) => `until [ -e "$beside/${name}" ]; do sleep 0.05; done`
/** Until an agent has shown that its account works, no other one starts. */
const AT_WORK = 'commit begun.txt 1'

/** The landing of the first task, which is not on a branch, ends after nothing holds the branch of the second any more. */
const check = (beside: string) => `git symbolic-ref -q HEAD >/dev/null && exit 0
[ -e first.txt ] && [ ! -e second.txt ] || exit 0
touch '${beside}/landing'
until gza ps --branch main --json >'${beside}/ps' && ! grep -q second '${beside}/ps'; do sleep 0.05; done
`

function aLandingRepo(acts: Record<string, string>, config: Record<string, unknown> = {}): AgentRepo {
  const repo = anAgentRepo(acts, { config: { land: 'merge', verify: { command: 'sh ./check' }, ...config } })
  repo.commit('check', { check: check(repo.beside('')) })
  repo.add('first')
  repo.add('second')
  return repo
}

for (const [how, act] of [
  ['commits', 'commit more.txt 2'],
  ['amends its commit', 'git commit -q --amend -m better'],
]) {
  test(`a run that ${how} and ends while the check of a landing runs is not reported`, () => {
    const repo = aLandingRepo({
      first: `${AT_WORK}; ${wait('begun')}; commit first.txt 1`,
      second: `commit second.txt 2; touch "$beside/begun"; ${wait('landing')}; ${act}`,
    })
    const work = repo.gza('work', '--all', '--workers', '2')
    expect(work.stderr).toContain('landed:    #1, #2 on main\n')
    expect(repo.inbox()).toEqual([])
  })
}

/** The second task has a branch with a commit, and its agent waits for an answer. */
function aRepoWithBranch(first: string, second: string, config: Record<string, unknown>): AgentRepo {
  const asking = `[ -e "$beside/answered" ] || { commit half.txt 2; exec gza ask "$task" "Which one?"; }`
  const repo = aLandingRepo({ first, second: `${asking}; ${second}` }, config)
  expect(repo.gza('work', '2').stdout).toContain('? Task #2 asks')
  repo.gza('answer', '2', 'this one')
  writeFileSync(repo.beside('answered'), '')
  return repo
}

test('a run that begins and ends on an older branch while the check of a landing runs is not reported', () => {
  const repo = aRepoWithBranch('commit first.txt 1', `${wait('landing')}; commit second.txt 2`, {})
  expect(repo.gza('work', '--all', '--workers', '2').stderr).toContain('landed:    #1, #2 on main\n')
  expect(repo.inbox()).toEqual([])
})

test('a branch that was deleted because its work had landed is not reported after a crash', () => {
  const first = `[ -e "$beside/first" ] && { commit first.txt 1; exit; }; touch "$beside/first"; ${AT_WORK}; forever`
  const repo = aRepoWithBranch(first, `${wait('first')}; commit second.txt 2`, { delete_branches: true })
  const night = repo.withEnv({ GZA_CRASH_AT: 'land-cleared' }).gza('work', '--all', '--workers', '2')
  expect([night.code, repo.task('2').landings.length]).toEqual([SIGKILLED, 1])
  expect(repo.git('branch', '--list', '*second')).toBe('')
  expect(repo.gza('work', '--all').stderr).toContain('landed:    #1 on main\n')
  expect(repo.inbox()).toEqual([])
})
