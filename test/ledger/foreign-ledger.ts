/** Ledgers that another program wrote: legal, but not in the spelling that gza itself would choose. */
import fc from 'fast-check'
import { largeFile, writeTask } from '../../src/core/ledger/file-layout.ts'
import { taskLine } from '../../src/core/ledger/task-line.ts'
import { addNote, createTask } from '../../src/core/task/operations.ts'
import type { Task } from '../../src/core/task/task.ts'
import type { Repo } from '../support/repo.ts'

/** The files of a ledger's tree. Bytes are characters (Latin-1), so that nothing is lost on the way. */
export type Files = Map<string, string>

/** A task with this number. Its content is as long as asked for. */
export function foreignTask(number: number, { length = 10, extra }: { length?: number; extra?: object } = {}): Task {
  const salt = number.toString(16).padStart(16, '0')
  const identity = { number, taskCount: 0, isIdTaken: () => false, salt, head: null }
  const authorship = { at: '2026-01-02T10:00:00Z', by: 'ada' }
  const task = createTask({ content: `Task ${number} é ${'x'.repeat(length)}` }, authorship, identity)
  const noted = addNote({ ...task, id: `task-${task.uid}` }, 'A "note"', authorship, 'abcd')
  return extra === undefined ? noted : { ...noted, extra: extra as Record<string, unknown> }
}

/** Other spellings of one JSON object, all of which mean the same. */
const SPELLINGS: ((json: string) => string)[] = [
  (json) => json,
  (json) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).reverse())),
  (json) => JSON.stringify(JSON.parse(json), null, 1).replaceAll('\n', ' '),
  (json) => json.replaceAll('é', '\\u00e9').replaceAll('/', '\\/'),
  (json) => `\t${json} \r`,
  (json) => json.replace('{', '{"number":7,'),
]

export interface ForeignLine {
  task: Task
  text: string
  large: string | null
}

/** The task's line as another program may write it: spelled differently, and in one part or in two. */
export function foreignLine(task: Task, spelling: number, inTwoParts: boolean): ForeignLine {
  const spell = SPELLINGS[spelling % SPELLINGS.length] as (json: string) => string
  if (!inTwoParts) return { task, text: spell(taskLine(task)), large: null }
  const short = writeTask(taskLine({ ...task, content: `${task.content}${'y'.repeat(1024)}` })).line
  return { task, text: spell(short), large: `${spell(taskLine(task)).trim()}\n` }
}

const anyExtra = fc.option(fc.constant({ later: { b: [1, { z: null }], a: 'é' }, moved: '1' }), { nil: undefined })

const anyLine = fc
  .record({
    length: fc.constantFrom(0, 40, 900, 3000),
    extra: anyExtra,
    spelling: fc.nat(SPELLINGS.length - 1),
    inTwoParts: fc.boolean(),
  })
  .map((made) => (number: number) => {
    const task = foreignTask(number, { length: made.length, ...(made.extra && { extra: made.extra }) })
    return foreignLine(task, made.spelling, made.inTwoParts)
  })

/** What else may be between the lines. */
const anyOther = fc.constantFrom('', '  ', 'not JSON', '{"id":"task-0000"}', 'AGAIN', 'caf\u00e9')

export interface ForeignLedger {
  lines: ForeignLine[]
  files: Files
}

/** Shards that are full or not, a tail with more tasks than gza would leave there, and files that gza does not know. */
export const anyForeignLedger: fc.Arbitrary<ForeignLedger> = fc
  .record({
    lines: fc.array(anyLine, { minLength: 2, maxLength: 9 }),
    others: fc.array(fc.tuple(fc.nat(9), anyOther), { maxLength: 2 }),
    inShard: fc.nat(4),
    filler: fc.constantFrom(0, 0, 62, 100),
    isClosed: fc.boolean(),
    isReversed: fc.boolean(),
  })
  .map(({ lines: makers, others, inShard, filler, isClosed, isReversed }) => {
    const fillers = Array.from({ length: filler }, (_, n) => foreignLine(foreignTask(n + 1), 0, false))
    const made = makers.map((make, n) => make(filler + n + 1))
    const lines = [...fillers, ...(isReversed ? made.reverse() : made)]
    const files: Files = new Map([
      ['format', '1\n'],
      ['README', 'not a task\n'],
      ['shards/notes.txt', 'of another program\n'],
    ])
    for (const { task, large } of lines) if (large !== null) files.set(largeFile(task.uid), bytes(large))
    const texts = lines.map(({ text }) => bytes(text))
    const shard = texts.splice(0, filler > 0 ? 0 : Math.min(inShard, texts.length))
    for (const [at, other] of others) texts.splice(at, 0, other === 'AGAIN' ? (texts[0] ?? '') : other)
    if (shard.length > 0) files.set('shards/0000/00.jsonl', `${shard.join('\n')}\n`)
    files.set('tasks.jsonl', texts.join('\n') + (isClosed ? '\n' : ''))
    return { lines, files }
  })

function bytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** Begins a ledger with these files, by plain git. */
export function writeLedger(repo: Repo, ledger: string, files: Files): void {
  const message = 'by hand\n\nActor: ada\nMode: human\n'
  const data = (text: string) => `data ${text.length}\n${text}\n`
  const head = `commit refs/tasks/${ledger}\ncommitter ada <ada@example.com> 1767348000 +0000\n${data(message)}`
  const parts = [...files].map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`)
  const stdin = Buffer.from(`${head}${parts.join('')}\ndone\n`, 'latin1')
  Bun.spawnSync(['git', 'fast-import', '--quiet', '--done'], { cwd: repo.dir, env: repo.env, stdin })
}

export function readFiles(repo: Repo, ledger: string): Files {
  const names = repo.git('ls-tree', '-r', '--name-only', `refs/tasks/${ledger}`).split('\n')
  const stdin = Buffer.from(names.map((path) => `refs/tasks/${ledger}:${path}\n`).join(''))
  const { stdout } = Bun.spawnSync(['git', 'cat-file', '--batch=%(objectsize)'], {
    cwd: repo.dir,
    env: repo.env,
    stdin,
  })
  let rest = Buffer.from(stdout).toString('latin1')
  return new Map(
    names.map((path) => {
      const [size = ''] = rest.split('\n', 1)
      const text = rest.slice(size.length + 1, size.length + 1 + Number(size))
      rest = rest.slice(size.length + text.length + 2)
      return [path, text]
    }),
  )
}

/** All lines of the task files, in their order. */
export function taskLines(files: Files): string[] {
  const shards = [...files.keys()].filter((path) => path.endsWith('.jsonl')).sort()
  return shards.flatMap((path) => (files.get(path) ?? '').split('\n').filter((line) => line.trim() !== ''))
}
