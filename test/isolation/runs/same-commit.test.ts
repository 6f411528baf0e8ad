/** Two agents in boxes make the same commit: tree, parent, people, times and message are the same, and so is its hash. */
import { expect, test } from 'bun:test'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS, type RunLevel } from './isolated-repo.ts'

const MAKE = `save same.txt same; git add same.txt
GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' git commit -qm 'the same change'`
const TOGETHER = `touch "$beside/done-$title"; until [ -e "$beside/done-one" ] && [ -e "$beside/done-two" ]; do sleep 0.02; done`

function worked(level: RunLevel, act: string, land: Record<string, unknown>): IsolatedRepo {
  const config = { verify: { command: 'true' }, ...land }
  const repo = anIsolatedRepo(level, { else: act }, { defaults: { max_attempts: 1 }, config })
  for (const title of ['one', 'two']) repo.add(title)
  const { code, stdout, stderr } = repo.work('--all', '--workers', '2')
  expect(code, stdout + stderr).toBe(0)
  expect(repo.statuses(), stdout + stderr).toEqual({ one: 'completed', two: 'completed' })
  return repo
}

/** Nothing is lost, nobody is blamed, both tasks lead to the commit, and nothing is left to land. */
function expectBothLanded(repo: IsolatedRepo): void {
  const [one, two] = [repo.task('1'), repo.task('2')]
  expect([...one.notes, ...two.notes]).toEqual([])
  expect(repo.inbox()).toEqual([])
  const same = repo.git('log', '--format=%H', '--grep=the same change', 'main').split('\n')
  expect(same).toHaveLength(1)
  for (const task of [one, two]) {
    expect(task.commits).toContain(same[0] ?? '')
    expect(repo.git('notes', '--ref=refs/notes/tasks', 'show', task.closed_commit ?? '')).toContain(task.id)
    const again = repo.run(repo.commandLine('merge', String(task.number)))
    expect(again.code, again.stdout + again.stderr).toBe(0)
    expect(again.stdout + again.stderr).toMatch(/has landed on main|is already in main/)
  }
  expect([one, two].flatMap(({ landings }) => landings.map(({ outcome }) => outcome))).toContain('landed')
  expect(JSON.parse(repo.gza('queue', '--json').stdout)).toEqual([])
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(repo.gza('verify').code).toBe(0)
  expectNothingLeft(repo)
}

for (const level of LEVELS) {
  test(`${level}: their work lands once, and counts for both tasks`, () => {
    expectBothLanded(worked(level, `${MAKE}; ${TOGETHER}`, { land: 'merge' }))
  })

  test(`${level}: a person lands one after the other`, () => {
    const repo = worked(level, `${MAKE}; ${TOGETHER}`, {})
    const heads = ['1', '2'].map((task) => repo.task(task).runs[0]?.head)
    expect(heads[0]).toBe(heads[1] ?? '')
    for (const task of ['1', '2']) {
      const merged = repo.run(repo.commandLine('merge', task))
      expect(merged.code, merged.stdout + merged.stderr).toBe(0)
    }
    expectBothLanded(repo)
  })

  test(`${level}: what one of them adds to it lands too`, () => {
    const repo = worked(level, `${MAKE}; [ $title = one ] || commit more.txt more; ${TOGETHER}`, { land: 'merge' })
    expectBothLanded(repo)
    expect(repo.git('show', 'main:more.txt')).toBe('more')
  })

  test(`${level}: a commit that an agent has only taken from another run is still reported`, () => {
    const take = 'until git cat-file -e "$(cat "$beside/made")" 2>/dev/null; do sleep 0.02; done'
    const repo = anIsolatedRepo(
      level,
      {
        one: `${MAKE}; git rev-parse HEAD >"$beside/hash" && mv "$beside/hash" "$beside/made"`,
        two: `${take}; git reset -q --hard "$(cat "$beside/made")"; commit more.txt more`,
      },
      { defaults: { max_attempts: 1 }, config: { verify: { command: 'true' } } },
    )
    for (const title of ['one', 'two']) repo.add(title)
    repo.work('--all', '--workers', '2')
    const subject = repo.task('2').branch ?? ''
    expect(repo.inbox()).toContainEqual(expect.objectContaining({ code: 'REF_CHANGED', subject }))
  })
}
