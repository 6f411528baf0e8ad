import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { expectNothingLeft } from '../runs/isolated-repo.ts'
import { anOwnTree, BOXES, DONE, type OwnTreeRepo } from './own-tree-repo.ts'

/** Commits, says that it is there, and works for ever; when it is called again, it finishes. */
const ENDLESS = `
if [ -e "$beside/again" ]; then commit second.txt second; ${DONE}; exit; fi
commit first.txt first; touch "$beside/again"; forever`

async function started(repo: OwnTreeRepo) {
  repo.add('Endless')
  const run = spawnProgram(repo, repo.runLine())
  await until(() => existsSync(repo.beside('again')))
  return run
}

function expectFinished(repo: OwnTreeRepo): void {
  const { code, stdout, stderr } = repo.runTasks()
  expect(code, stdout + stderr).toBe(0)
  expect(repo.git('log', '--format=%s')).toBe('Endless: second.txt\nEndless: first.txt\nfirst')
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(repo.inbox()).toEqual([])
  expectNothingLeft(repo)
}

for (const level of BOXES) {
  test(`${level}: SIGTERM ends the agent, and its commits arrive`, async () => {
    const repo = anOwnTree(level, { Endless: ENDLESS })
    const run = await started(repo)
    let hasEnded = false
    run.ended.then(() => {
      hasEnded = true
    })
    // One only asks the agent to finish.
    await until(() => {
      if (!hasEnded) run.process.kill('SIGTERM')
      return hasEnded
    })
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'interrupted' }])
    expect(repo.git('log', '-1', '--format=%s')).toBe('Endless: first.txt')
    expect(repo.git('status', '--porcelain')).toBe('')
    expectNothingLeft(repo)
    expectFinished(repo)
  })

  test(`${level}: after kill -9 of gza the next one imports what the agent has committed`, async () => {
    const repo = anOwnTree(level, { Endless: ENDLESS })
    const run = await started(repo)
    run.process.kill('SIGKILL')
    await run.ended
    await until(() => repo.survivors().length === 0)
    expect(repo.git('log', '-1', '--format=%s')).toBe('first')
    expectFinished(repo)
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'interrupted' }, { outcome: 'completed', isolation: level }])
  })

  test(`${level}: after kill -9 and a person who has put the files back, the next gza brings commits and files`, async () => {
    const repo = anOwnTree(level, { Endless: ENDLESS })
    const run = await started(repo)
    run.process.kill('SIGKILL')
    await run.ended
    await until(() => repo.survivors().length === 0)
    repo.git('clean', '-fdq')
    expectFinished(repo)
    expect(readFileSync(join(repo.dir, 'first.txt'), 'utf8')).toBe('first\n')
  })

  test.each(['import-fetched', 'import-reset', 'import-moved', 'heard'])(
    `${level}: killed at %s, nothing is lost or twice`,
    (step) => {
      const repo = anOwnTree(level, {
        Once: `if [ -e once.txt ]; then commit again.txt x; else commit once.txt x; fi; ${DONE}`,
      })
      repo.add('Once')
      repo.run(repo.runLine('--once'), { env: { GZA_CRASH_AT: step } })
      const { code, stdout, stderr } = repo.runTasks()
      expect(code, stdout + stderr).toBe(0)
      const again = step === 'heard' ? [] : ['Once: again.txt']
      expect(repo.git('log', '--format=%s').split('\n')).toEqual([...again, 'Once: once.txt', 'first'])
      expect(repo.git('status', '--porcelain')).toBe('')
      expect(repo.task('1').status).toBe('completed')
      expectNothingLeft(repo)
    },
  )

  test(`${level}: what an agent leaves with its question is kept, and the tree is clean`, () => {
    const repo = anOwnTree(level, {
      Ask: `commit a.txt a; save half.txt half; git tasks ask "$task" 'Which colour?'`,
      else: `commit "$title.txt" x; ${DONE}`,
    })
    repo.add('Ask')
    repo.add('Next')
    const { stdout } = repo.runTasks()
    expect(repo.statuses()).toEqual({ Ask: 'pending', Next: 'completed' })
    const { runs } = repo.task('1')
    expect(runs, stdout).toMatchObject([{ outcome: 'interrupted', reason: 'question' }])
    expect(repo.git('show', `refs/gza/kept/${runs[0]?.run}/uncommitted:half.txt`)).toBe('half')
    expect(repo.git('log', '--format=%s')).toBe('Next: Next.txt\nAsk: a.txt\nfirst')
    expect(repo.git('status', '--porcelain')).toBe('')
  })

  test(`${level}: an unfinished merge fails the attempt, and the next one finishes it`, () => {
    const repo = anOwnTree(level, {
      Merge: `
if git rev-parse -q --verify MERGE_HEAD >/dev/null; then echo both >a.txt && git commit -qam merged && ${DONE}; exit; fi
git checkout -q -b side && commit a.txt side && git checkout -q - && commit a.txt mine && git merge -q side; git branch -qD side; ${DONE}`,
    })
    repo.add('Merge')
    const { code, stdout, stderr } = repo.runTasks()
    expect(code, stdout + stderr).toBe(0)
    const { runs } = repo.task('1')
    expect(runs).toMatchObject([{ outcome: 'failed', reason: 'dirty-tree' }, { outcome: 'completed' }])
    expect(String(runs[0]?.detail)).toContain('in the middle of a merge')
    expect(repo.git('show', 'main:a.txt')).toBe('both')
    expect(repo.git('status', '--porcelain')).toBe('')
    expectNothingLeft(repo)
  })
}
