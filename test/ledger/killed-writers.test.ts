import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from '../../src/core/task/task.ts'
import { bin } from '../support/built-program.ts'
import { answersOf, dropIndex, exportedTasks, linesOf, outputOf, rebuiltAnswers } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

const KILLS = 200
const ROOM = 300_000

type Victim = 'process' | 'group'

/** Runs gza and kills it after some milliseconds; true when it had ended by itself, and well, before that. */
function runAndKill(repo: Repo, args: string[], victim: Victim, delay: number): Promise<'done' | 'killed'> {
  return new Promise((resolve, reject) => {
    // A group of its own in both series: the test must not be in the group that is killed.
    const child = spawn(bin('gza'), args, { cwd: repo.dir, env: repo.env, detached: true, stdio: 'ignore' })
    const pid = child.pid as number
    const timer = setTimeout(() => kill(victim === 'group' ? -pid : pid), delay)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (signal === 'SIGKILL') resolve('killed')
      else if (code === 0) resolve('done')
      else reject(new Error(`gza ${args.join(' ')} exited with ${code}`))
    })
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** One change, and how to see in the ledger whether it is there: wholly, not at all, or (a bug) in part. */
interface Write {
  args: string[]
  isThere: (tasks: readonly Task[]) => boolean
}

/** The n-th write; those that change a task change the one that was filed at the start. */
function writeNumber(repo: Repo, n: number): Write {
  const first = (tasks: readonly Task[]) => tasks[0] as Task
  switch (n % 6) {
    case 0:
      return { args: ['add', `add ${n}`], isThere: (tasks) => tasks.some(({ content }) => content === `add ${n}`) }
    case 1:
      return { args: ['note', '1', `note ${n}`], isThere: (tasks) => hasNote(first(tasks), `note ${n}`) }
    case 2:
      return { args: ['done', '2', '--note', `done ${n}`], isThere: (tasks) => hasNote(tasks[1] as Task, `done ${n}`) }
    case 3:
      return {
        args: ['edit', '1', '--title', `title ${n}`],
        isThere: (tasks) => first(tasks).edits.some(({ value }) => value === `title ${n}`),
      }
    case 4:
      return {
        args: ['edit', '2', '--reopen', '--group', `g${n}`],
        isThere: (tasks) => hasEdit(tasks[1] as Task, `g${n}`),
      }
    default:
      return importOf(repo, n)
  }
}

function importOf(repo: Repo, n: number): Write {
  const file = repo.write(`list-${n}.md`, `- [ ] parent ${n}\n  - [ ] part ${n}\n`)
  return {
    args: ['import', file],
    isThere: (tasks) => {
      const found = tasks.filter(({ content }) => content === `parent ${n}` || content === `part ${n}`)
      expect([0, 2]).toContain(found.length)
      return found.length === 2
    },
  }
}

function hasNote(task: Task, text: string): boolean {
  return task.notes.some((note) => note.text === text)
}

function hasEdit(task: Task, value: string): boolean {
  return task.edits.some((edit) => edit.value === value)
}

interface Series {
  acknowledged: Write[]
  killed: Write[]
}

/** Kills writes at random points until enough of them were hit, with others between that are left alone. */
async function killWrites(repo: Repo, victim: Victim): Promise<Series> {
  const series: Series = { acknowledged: [], killed: [] }
  const whole = await timeOf(() => outputOf(repo.gza('note', '1', 'how long a write takes')))
  for (let n = 0; series.killed.length < KILLS; n++) {
    const write = writeNumber(repo, n)
    const isSpared = n % 7 === 0
    if (n % 25 === 24) dropIndex(repo)
    const end = await runAndKill(repo, write.args, victim, isSpared ? 60_000 : Math.random() * 1.4 * whole)
    series[end === 'done' ? 'acknowledged' : 'killed'].push(write)
  }
  return series
}

async function timeOf(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Objects that git had begun and never finished: nothing refers to them, and its next gc removes them. */
function unfinishedPacks(repo: Repo): string[] {
  return filesIn(repo, /tmp_(pack|idx|obj)/)
}

function filesIn(repo: Repo, pattern: RegExp): string[] {
  const paths = readdirSync(join(repo.dir, '.git'), { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => pattern.test(path))
}

for (const victim of ['process', 'group'] as const) {
  test(
    `${KILLS} writes whose ${victim} is killed at random points: no acknowledged write is missing, and nothing is left behind`,
    async () => {
      const repo = aRepo()
      outputOf(repo.gza('add', 'first'))
      outputOf(repo.gza('add', 'second'))
      const { acknowledged, killed } = await killWrites(repo, victim)

      outputOf(repo.gza('add', 'the next command'))
      expect(repo.git('for-each-ref', '--format=%(refname)')).toBe('refs/tasks/main')
      expect(filesIn(repo, /\.lock$|fast_import_crash/)).toEqual([])
      const tasks = exportedTasks(repo)
      expect(acknowledged.filter(({ isThere }) => !isThere(tasks)).map(({ args }) => args.join(' '))).toEqual([])
      expect(tasks.at(-1)?.content).toBe('the next command')
      expect(tasks.map(({ number }) => number)).toEqual(tasks.map((_, index) => index + 1))

      const written = killed.filter(({ isThere }) => isThere(tasks)).length
      expect(written).toBeGreaterThan(0)
      const commits = linesOf(repo.git('rev-list', 'refs/tasks/main')).length
      expect(commits).toBe(acknowledged.length + written + 4)
      expect(outputOf(repo.gza('verify'))).toStartWith(`main: ok (${commits} commits, ${tasks.length} tasks)`)
      expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
      repo.git('gc', '--quiet', '--prune=now')
      expect(unfinishedPacks(repo)).toEqual([])
      expect(repo.git('fsck', '--full', '--strict')).toBe('')
      expect(exportedTasks(repo)).toEqual(tasks)
    },
    ROOM,
  )
}
