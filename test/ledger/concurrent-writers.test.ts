import { expect, test } from 'bun:test'
import type { Task } from '../../src/core/task/task.ts'
import { answersOf, exportedTasks, linesOf, outputOf, rebuiltAnswers } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

const WRITERS = 50
const ROOM = 300_000

interface Write {
  argv: string[]
  stdin?: string
}

/** Twenty writes of every kind; one in five is on the task that all writers share. */
function writesOf(me: string): Write[] {
  const gza = (...args: string[]): Write => ({ argv: ['gza', ...args] })
  const add = (n: number) => gza('add', `${me} task ${n}`, '--key', `${me}-${n}`)
  return [
    ...[add(1), add(2), gza('note', 'shared', `${me} note 1`), add(3), add(4)],
    ...[gza('note', `${me}-1`, 'first'), gza('done', `${me}-2`), gza('edit', 'shared', '--group', me), add(5)],
    ...[gza('add', `${me} child`, '--parent', `${me}-1`, '--after', `${me}-3`), gza('note', 'shared', `${me} note 2`)],
    ...[gza('edit', `${me}-4`, '--title', 'T'), gza('edit', `${me}-4`, '--content', `${me} changed`)],
    ...[gza('delete', `${me}-5`), { ...gza('import', '-'), stdin: `- [ ] ${me} parent\n  - [x] ${me} part\n` }],
    ...[gza('note', `${me}-1`, 'second'), gza('done', `${me}-3`, '--note', 'finished'), add(6)],
    ...[gza('note', 'shared', `${me} note 3`), { ...gza('import', '-'), stdin: `{"content":"${me} line"}\n` }],
  ]
}

type Outcome = Pick<Task, 'content' | 'status' | 'title' | 'deleted'> & { notes: string[]; parent: string | undefined }

/** What those twenty leave behind. */
function outcomeOf(me: string): Outcome[] {
  const task = (content: string, more: Partial<Outcome> = {}): Outcome => {
    const plain = { status: 'pending' as const, title: undefined, deleted: undefined, notes: [], parent: undefined }
    return { content: `${me} ${content}`, ...plain, ...more }
  }
  return [
    task('changed', { title: 'T' }),
    task('child', { parent: `${me} task 1` }),
    task('line'),
    task('parent'),
    task('part', { status: 'completed', parent: `${me} parent` }),
    task('task 1', { notes: ['first', 'second'] }),
    task('task 2', { status: 'completed' }),
    task('task 3', { status: 'completed', notes: ['finished'] }),
    task('task 5', { deleted: true }),
    task('task 6'),
  ]
}

/** Makes one write after the other and returns those that were not acknowledged. */
async function writeAll(repo: Repo, writes: readonly Write[]): Promise<string[]> {
  const failed: string[] = []
  for (const { argv, stdin } of writes) {
    const { code, stderr } = await repo.start(argv, stdin === undefined ? {} : { stdin })
    if (code !== 0) failed.push(`${argv.join(' ')}: ${code} ${stderr}`)
  }
  return failed
}

function outcomes(tasks: readonly Task[]): Outcome[] {
  const contents = new Map(tasks.map((task) => [`task-${task.uid}`, task.content]))
  return tasks
    .map(({ content, status, title, deleted, notes, parent }) => ({
      ...{ content, status, title, deleted, notes: notes.map(({ text }) => text) },
      parent: parent && contents.get(parent),
    }))
    .sort((a, b) => (a.content < b.content ? -1 : 1))
}

function expectNoDoubles(values: readonly unknown[]): void {
  expect(new Set(values).size).toBe(values.length)
}

test(
  '50 processes with 20 writes each on one ledger: every write is there, as one commit, and nothing is doubled',
  async () => {
    const repo = aRepo()
    outputOf(repo.gza('add', 'for all', '--key', 'shared'))
    const names = Array.from({ length: WRITERS }, (_, n) => `w${n}`)
    const failed = await Promise.all(names.map((name) => writeAll(repo, writesOf(name))))
    expect(failed.flat()).toEqual([])

    const tasks = exportedTasks(repo)
    const [shared, ...own] = tasks as [Task, ...Task[]]
    expect(outcomes(own)).toEqual(names.flatMap(outcomeOf).sort((a, b) => (a.content < b.content ? -1 : 1)))
    expect(shared.notes.map(({ text }) => text).sort()).toEqual(
      names.flatMap((name) => [1, 2, 3].map((n) => `${name} note ${n}`)).sort(),
    )
    expect(shared.edits.map(({ value }) => value).sort()).toEqual([...names].sort())

    expect(tasks.map(({ number }) => number)).toEqual(tasks.map((_, index) => index + 1))
    expectNoDoubles(tasks.map(({ id }) => id))
    expect(linesOf(repo.git('rev-list', '--parents', 'refs/tasks/main')).length).toBe(1 + WRITERS * 20)
    expect(repo.git('rev-list', '--merges', '--count', 'refs/tasks/main')).toBe('0')
    expect(outputOf(repo.gza('verify'))).toStartWith(`main: ok (${1 + WRITERS * 20} commits, ${tasks.length} tasks)`)
    expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
  },
  ROOM,
)
