/** However an agent in the person's own tree ends, nothing of it is left, and the person's work is as it was. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keeps } from '../../../src/core/isolation/promises.ts'
import type { SpawnedGza } from '../../support/spawn-gza.ts'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { expectNothingLeft, LEVELS } from '../runs/isolated-repo.ts'
import { anOwnTree, DONE, type OwnTreeRepo } from './own-tree-repo.ts'

const FILES = { 'a.txt': 'a\n', 'staged.txt': 'a\n', 'edited.txt': 'a\n' }

/** Commits, starts a process in the background, says that it is there, and prints nothing more. Later it finishes. */
const ENDLESS = `
if [ -e "$beside/again" ]; then commit second.txt second; ${DONE}; exit; fi
commit first.txt first; "$beside/lurk" & until [ -s "$beside/lurkers" ]; do sleep 0.02; done
touch "$beside/again"; forever`

interface Ending {
  what: string
  end(repo: OwnTreeRepo, run: SpawnedGza): void | Promise<void>
  /** Of the run. Null: gza could not write it down. */
  outcome: Record<string, string> | null
  defaults?: Record<string, unknown>
}

const ENDINGS: Ending[] = [
  {
    what: 'gza kill',
    outcome: { outcome: 'interrupted' },
    end: (repo) => void expect(repo.gza('kill', '1')).toMatchObject({ code: 0 }),
  },
  { what: 'Ctrl-C', outcome: { outcome: 'interrupted' }, end: (_, run) => interrupt(run) },
  { what: 'kill -9 of gza', outcome: null, end: (_, run) => void run.process.kill('SIGKILL') },
  { what: 'kill -9 of what holds the agent', outcome: { outcome: 'failed' }, end: killHolder },
  {
    what: 'the stall limit',
    outcome: { outcome: 'failed', reason: 'stalled' },
    end: () => {},
    defaults: { stall_minutes: 0.07 },
  },
  {
    what: 'the time limit',
    outcome: { outcome: 'failed', reason: 'timed-out' },
    end: () => {},
    defaults: { timeout_minutes: 0.1 },
  },
]

/** One only asks the agent to finish. */
async function interrupt(run: SpawnedGza): Promise<void> {
  let hasEnded = false
  run.ended.then(() => {
    hasEnded = true
  })
  await until(() => {
    if (!hasEnded) run.process.kill('SIGINT')
    return hasEnded
  })
}

/** The child of gza with the agent inside: bwrap, the program that makes a box of unshare, or the agent itself. */
function killHolder(repo: OwnTreeRepo, run: SpawnedGza): void {
  const children = readFileSync(`/proc/${run.process.pid}/task/${run.process.pid}/children`, 'utf8').trim().split(' ')
  const holders = children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(repo.beside('agent')))
  expect(holders).toHaveLength(1)
  process.kill(Number(holders[0]), 'SIGKILL')
}

/** A person works in the same tree while the agent does. */
function workMeanwhile(repo: OwnTreeRepo): void {
  repo.write('staged.txt', 'staged\n')
  repo.git('add', 'staged.txt')
  repo.write('edited.txt', 'edited\n')
  repo.write('untracked.txt', 'untracked\n')
  repo.git('branch', 'persons')
}

function personsWork(repo: OwnTreeRepo): unknown {
  const texts = ['staged.txt', 'edited.txt', 'untracked.txt'].map((path) => readFileSync(join(repo.dir, path), 'utf8'))
  const status = repo.git('status', '--porcelain').split('\n')
  const own = status.filter((line) => /(staged|edited|untracked)\.txt$/.test(line))
  const hooks = readdirSync(join(repo.dir, '.git/hooks'))
  return {
    texts,
    own,
    hooks,
    config: repo.git('config', '--list', '--local'),
    branch: repo.git('rev-parse', 'persons'),
  }
}

function mountsOf(repo: OwnTreeRepo): string[] {
  return readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.includes(repo.beside('..')))
}

for (const level of LEVELS)
  for (const { what, end, outcome, defaults } of ENDINGS)
    test(`${level}: ${what}`, async () => {
      const repo = anOwnTree(level, { Endless: ENDLESS }, { files: FILES, ...(defaults && { defaults }) })
      repo.add('Endless')
      const run = spawnProgram(repo, repo.runLine('--once'))
      await until(() => existsSync(repo.beside('again')))
      workMeanwhile(repo)
      const before = personsWork(repo)
      await end(repo, run)
      await run.ended
      // Landlock holds no processes: the next gza ends them.
      const isAllGone = outcome !== null || keeps(level, 'diesWithGza')
      if (isAllGone) await until(() => repo.survivors().length === 0)
      expect(personsWork(repo)).toEqual(before)
      if (outcome !== null) {
        expect(repo.task('1').runs, run.printed()).toMatchObject([outcome])
        expect(repo.git('log', '-1', '--format=%s')).toBe('Endless: first.txt')
        expectNothingLeft(repo)
      }
      expect(mountsOf(repo)).toEqual([])
      // The person commits, and calls gza again.
      repo.git('commit', '-qm', 'person', '--', 'staged.txt', 'edited.txt')
      repo.git('add', 'untracked.txt')
      repo.git('commit', '-qm', 'person too', '--', 'untracked.txt')
      const { code, stdout, stderr } = repo.runTasks()
      expect(code, stdout + stderr).toBe(0)
      const subjects = repo.git('log', '--no-merges', '--format=%s').split('\n').sort()
      expect(subjects).toEqual(['Endless: first.txt', 'Endless: second.txt', 'first', 'person', 'person too'])
      expect(repo.git('status', '--porcelain')).toBe('')
      expectNothingLeft(repo)
    })
