import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { keeps } from '../../../src/core/isolation/promises.ts'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from './isolated-repo.ts'

/** Commits, leaves a file, says that it is there, and works for ever; when it is called again, it finishes. */
const ENDLESS = `
if [ -e "$beside/again" ]; then commit second.txt second; exit; fi
commit first.txt first; save left.txt left; touch "$beside/again"; forever`

async function started(repo: IsolatedRepo) {
  repo.add('Endless')
  const work = spawnProgram(repo, repo.commandLine('work', '1'))
  await until(() => existsSync(repo.beside('again')))
  return work
}

function expectKept(repo: IsolatedRepo): void {
  const { branch } = repo.task('1')
  expect(repo.git('show', `${branch}:first.txt`)).toBe('first')
  expect(repo.git('show', `${branch}:left.txt`)).toBe('left')
}

for (const level of LEVELS) {
  test(`${level}: TERM ends the agent, and its work is kept`, async () => {
    const repo = anIsolatedRepo(level, { Endless: ENDLESS })
    const work = await started(repo)
    work.process.kill('SIGTERM')
    await work.ended
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'interrupted' }])
    expectKept(repo)
    expectNothingLeft(repo)
  })

  test(`${level}: gza kill ends the agent, and its work is kept`, async () => {
    const repo = anIsolatedRepo(level, { Endless: ENDLESS })
    const work = await started(repo)
    expect(repo.gza('kill', '1').code).toBe(0)
    await work.ended
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'interrupted' }])
    expectKept(repo)
    expectNothingLeft(repo)
  })

  test(`${level}: after kill -9 of gza nothing of it is alive, and the next gza continues with its work`, async () => {
    const repo = anIsolatedRepo(level, { Endless: ENDLESS })
    const work = await started(repo)
    work.process.kill('SIGKILL')
    await work.ended
    // Landlock holds no processes: the next gza ends them.
    if (keeps(level, 'diesWithGza')) await until(() => repo.survivors().length === 0)
    const { code, stdout, stderr } = repo.work('1')
    expect(code, stdout + stderr).toBe(0)
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'interrupted' }, { outcome: 'completed', isolation: level }])
    expectKept(repo)
    expect(repo.git('show', `${repo.task('1').branch}:second.txt`)).toBe('second')
    expectNothingLeft(repo)
  })

  test(`${level}: an unfinished merge fails the attempt, and the next one finishes it`, () => {
    const repo = anIsolatedRepo(level, {
      Merge: `
if [ -e .git ] && git rev-parse -q --verify MERGE_HEAD >/dev/null; then
  echo both >a.txt && git commit -qam merged; exit
fi
git checkout -q -b side && commit a.txt side && git checkout -q - && commit a.txt mine && git merge -q side; git branch -qD side`,
    })
    repo.add('Merge')
    const { code, stdout, stderr } = repo.work('1')
    expect(code, stdout + stderr).toBe(0)
    const { runs, branch } = repo.task('1')
    expect(runs).toMatchObject([{ outcome: 'failed', reason: 'dirty-tree' }, { outcome: 'completed' }])
    expect(String(runs[0]?.detail)).toContain('in the middle of a merge')
    expect(repo.git('show', `${branch}:a.txt`)).toBe('both')
    expect(readFileSync(repo.beside('agent'), 'utf8')).toContain('MERGE_HEAD')
    expectNothingLeft(repo)
  })

  test(`${level}: TERM ends gza while a program of the tree never ends, and the next gza takes the work in`, async () => {
    const repo = anIsolatedRepo(
      level,
      {
        Filtered: `
[ -e "$beside/open" ] && { commit second.txt second; exit; }
echo "touch $beside/filtering; until [ -e $beside/open ]; do sleep 0.1; done; cat" >clean.sh
git add clean.sh && git commit -qm filter; save left.slow left`,
      },
      { files: { '.gitattributes': '*.slow filter=slow\n', 'clean.sh': 'cat\n' } },
    )
    repo.git('config', 'filter.slow.clean', 'sh ./clean.sh')
    repo.add('Filtered')
    const work = spawnProgram(repo, repo.commandLine('work', '1'))
    await until(() => existsSync(repo.beside('filtering')))
    work.process.kill('SIGTERM')
    const { code } = await work.ended
    expect(code).toBe(143)
    await until(() => repo.survivors().length === 0)
    expect(repo.task('1').status).toBe('pending')
    writeFileSync(repo.beside('open'), '')
    const again = repo.work('1')
    expect(again.code, again.stdout + again.stderr).toBe(0)
    const { branch } = repo.task('1')
    expect(repo.git('show', `${branch}:left.slow`)).toBe('left')
    expect(repo.git('show', `${branch}:second.txt`)).toBe('second')
    expectNothingLeft(repo)
  })
}
