import { expect, test } from 'bun:test'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

/** Git without the guard's shim and hooks. */
const FREE = `free() { PATH="\${PATH#*:}" command git -c core.hooksPath=/dev/null "$@"; }\n`
const wait = (name: string) => `until [ -e "$beside/${name}" ]; do sleep 0.05; done`
const PLACE = `place=$(git worktree list --porcelain | sed -n 's/^worktree //p' | grep victim); branch=refs/heads/$(basename "$place")`

/** An agent that does something to the branch of another run, in the middle of that run. */
function attacked(act: string, victim: string, then = ''): AgentRepo {
  const repo = anUnboxedRepo(
    {
      vandal: `${FREE}commit a.txt a; ${wait('there')}; ${PLACE}; ${act}; touch "$beside/go"; ${then}`,
      victim: `commit b.txt b; touch "$beside/there"; ${wait('go')}; ${victim}`,
    },
    { defaults: { max_attempts: 1 }, config: { land: 'merge', verify: { command: 'true' } } },
  )
  repo.add('vandal')
  repo.add('victim')
  repo.gza('work', '--all', '--workers', '2')
  return repo
}

const changed = (repo: AgentRepo) => repo.inbox().filter(({ code }) => code === 'REF_CHANGED')
const filesOf = (repo: AgentRepo) => repo.git('ls-tree', '--name-only', 'main').split('\n')

/** Until gza has put the branch back, which it does when the other agent has ended. */
const REPAIRED = `for i in $(seq 200); do [ "$(git log -1 --format=%s 2>/dev/null)" = "victim: b.txt" ] && break; sleep 0.05; done`

const MOVES: [string, string][] = [
  ['moved with hooks off', 'free update-ref "$branch" HEAD'],
  ['written by hand', 'git rev-parse HEAD >"$(git rev-parse --git-common-dir)/$branch"'],
  ['deleted', 'rm "$(git rev-parse --git-common-dir)/$branch"'],
]

for (const [name, move] of MOVES) {
  test(`the branch of another run that an agent has ${name} is put back, and only the honest work lands`, () => {
    const repo = attacked(`${move}; free log -1 --format=%H "$branch" >"$beside/moved"`, `${REPAIRED}; commit c.txt c`)
    expect(repo.statuses()).toEqual({ vandal: 'completed', victim: 'completed' })
    const [item, ...more] = changed(repo)
    expect([item?.subject, more.length]).toEqual([repo.task('2').branch ?? '', 0])
    expect(item?.detail).toMatch(/ of a run was (moved|deleted) from outside its worktree .*; it is as before/)
    expect(item?.commands[0]).toMatch(/^git log refs\/(gza\/kept|heads)\//)
    const vandal = repo.task('1').runs?.at(-1)?.head ?? ''
    const kept = repo.git('for-each-ref', '--format=%(objectname)', 'refs/gza/kept')
    expect(kept).toBe(name === 'deleted' ? '' : vandal)
    expect(repo.task('1').landings).toEqual([])
    expect(repo.task('2').landings).toMatchObject([{ outcome: 'landed' }])
    expect(filesOf(repo)).toEqual(['README.md', 'b.txt', 'c.txt', 'gza.yaml'])
    // A person who has looked lets the other one land.
    expect(repo.gza('resolve', item?.subject ?? '', '--skip').code).toBe(0)
    expect(repo.gza('merge', '1').stdout).toContain('landed on main')
  })
}

test('nothing lands by itself if the other agent has gone on from there, or if its worktree was moved as well', () => {
  for (const act of ['free update-ref "$branch" HEAD', 'free -C "$place" reset -q --hard "$(git rev-parse HEAD)"']) {
    const repo = attacked(act, 'commit c.txt c; touch "$beside/built"', wait('built'))
    expect(repo.statuses()).toEqual({ vandal: 'completed', victim: 'completed' })
    expect(changed(repo).map(({ subject }) => subject)).toContain(repo.task('2').branch ?? '')
    expect([repo.task('1').landings, repo.task('2').landings]).toEqual([[], []])
    expect(filesOf(repo)).toEqual(['README.md', 'gza.yaml'])
  }
})

test('what agents do with their own branches is ordinary, also on top of other work and beside a person who commits', () => {
  const main = 'free -C "$beside/repo" commit -q --allow-empty -m "by a person"'
  const repo = anUnboxedRepo(
    {
      first: 'commit a.txt a; git commit -q --amend -m better; git stash -q; echo left >left.txt',
      second: `${FREE}commit b.txt b; git rebase -q --force-rebase main; ${main}; git checkout -q -b side; commit d.txt d; git checkout -q -; git merge -q side; git branch -q -D side`,
      third:
        'commit c.txt c; git reset -q --soft HEAD~1; git commit -q -m again; git merge -q -m merged main; git update-ref HEAD "$(git rev-parse HEAD)"',
      fourth: 'commit e.txt e; git commit -q --amend --reset-author --no-edit',
    },
    { defaults: { max_attempts: 1 }, config: { verify: { command: 'true' } } },
  )
  repo.add('first')
  repo.add('second')
  repo.add('third', '--after', '1', '--after', '2')
  repo.add('fourth', '--based-on', '3', '--same-branch')
  repo.gza('work', '--all', '--workers', '2')
  expect(repo.statuses()).toEqual({ first: 'completed', second: 'completed', third: 'completed', fourth: 'completed' })
  expect(repo.inbox()).toEqual([])
})
