import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Task } from '../../src/core/task/task.ts'
import { answersOf, exportedTasks, linesOf, outputOf, readTask, rebuiltAnswers } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

const ROOM = 180_000

function aRepoWith(taskCount: number): Repo {
  const repo = aRepo()
  importText(repo, Array.from({ length: taskCount }, (_, n) => `- [ ] task ${n + 1}\n`).join(''))
  return repo
}

function importText(repo: Repo, stdin: string): void {
  outputOf(repo.run(['gza', 'import', '-'], { stdin }))
}

function filesOf(repo: Repo): string[] {
  return linesOf(repo.git('ls-tree', '-r', '--name-only', 'refs/tasks/main'))
}

function textOf(repo: Repo, path: string): string {
  return outputOf(repo.run(['git', 'cat-file', 'blob', `refs/tasks/main:${path}`]))
}

function blobOf(repo: Repo, path: string): string {
  return repo.git('rev-parse', `refs/tasks/main:${path}`)
}

function treeOf(repo: Repo): string {
  return repo.git('rev-parse', 'refs/tasks/main^{tree}')
}

/** The files that the last change touched. */
function touched(repo: Repo): string[] {
  return linesOf(repo.git('diff-tree', '-r', '--name-only', 'refs/tasks/main~1', 'refs/tasks/main'))
}

describe('files of 64 tasks', () => {
  test('the newest are in tasks.jsonl; a file that is full becomes a shard as it is', () => {
    const repo = aRepoWith(64)
    expect(filesOf(repo)).toEqual(['format', 'tasks.jsonl'])
    const full = blobOf(repo, 'tasks.jsonl')
    outputOf(repo.gza('add', 'task 65'))
    expect(filesOf(repo)).toEqual(['format', 'shards/0000/00.jsonl', 'tasks.jsonl'])
    expect(blobOf(repo, 'shards/0000/00.jsonl')).toBe(full)
    expect(linesOf(textOf(repo, 'tasks.jsonl')).map((line) => readTask(line).content)).toEqual(['task 65'])
  })

  test('the 129th task opens the third file', () => {
    const repo = aRepoWith(128)
    expect(filesOf(repo)).toEqual(['format', 'shards/0000/00.jsonl', 'tasks.jsonl'])
    outputOf(repo.gza('add', 'task 129'))
    expect(filesOf(repo)).toEqual(['format', 'shards/0000/00.jsonl', 'shards/0000/01.jsonl', 'tasks.jsonl'])
    const sizes = ['shards/0000/00.jsonl', 'shards/0000/01.jsonl', 'tasks.jsonl'].map(
      (path) => linesOf(textOf(repo, path)).length,
    )
    expect(sizes).toEqual([64, 64, 1])
    expect(exportedTasks(repo).map(({ content }) => content)).toEqual(
      Array.from({ length: 129 }, (_, n) => `task ${n + 1}`),
    )
  })

  test(
    'with 6,500 tasks folders of 100 shards are filled, every line is a task, and a change still touches one file',
    () => {
      const repo = aRepoWith(6500)
      const shards = Array.from(
        { length: 101 },
        (_, n) => `shards/000${Math.floor(n / 100)}/${String(n % 100).padStart(2, '0')}.jsonl`,
      )
      expect(filesOf(repo)).toEqual(['format', ...shards, 'tasks.jsonl'])
      const lines = [...shards, 'tasks.jsonl'].flatMap((path) => linesOf(textOf(repo, path)))
      expect(lines.map((line) => readTask(line).number)).toEqual(Array.from({ length: 6500 }, (_, n) => n + 1))
      expect(linesOf(outputOf(repo.gza('export')))).toEqual(lines)

      outputOf(repo.gza('note', '1', 'in the oldest shard'))
      expect(touched(repo)).toEqual(['shards/0000/00.jsonl'])
      outputOf(repo.gza('done', '6432'))
      expect(touched(repo)).toEqual(['shards/0001/00.jsonl'])
      outputOf(repo.gza('add', 'one more'))
      expect(touched(repo)).toEqual(['tasks.jsonl'])
      expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
    },
    ROOM,
  )
})

test(
  'the place of a task depends on which tasks there are, not on how they came: the same tasks are the same tree',
  () => {
    const source = aRepoWith(150)
    outputOf(source.gza('note', '30', 'long '.repeat(400)))
    outputOf(source.gza('delete', '80'))
    const lines = linesOf(outputOf(source.gza('export')))
    const anyOrder = fc.shuffledSubarray(lines, { minLength: lines.length })
    fc.assert(
      fc.property(anyOrder, fc.integer({ min: 1, max: 149 }), (shuffled, cut) => {
        const repo = aRepo()
        for (const part of [shuffled.slice(0, cut), shuffled.slice(cut), lines])
          importText(repo, `${part.join('\n')}\n`)
        expect(treeOf(repo)).toBe(treeOf(source))
        expect(answersOf(repo).export).toBe(`${lines.join('\n')}\n`)
        expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
        repo.remove()
      }),
      { numRuns: 6 },
    )
  },
  ROOM,
)

describe('a task of more than 1 KB', () => {
  const MEGABYTE = `A title\n\n${'all the details, ünd 漢字, "quoted"\n'.repeat(26_000)}`.trim()

  /** The only task, as its shard and its large file have it. */
  function onlyTask(repo: Repo): { short: Record<string, unknown>; task: Task; large: string } {
    const [line = '', ...others] = linesOf(textOf(repo, 'tasks.jsonl'))
    expect(others).toEqual([])
    expect(line.length).toBeLessThanOrEqual(1024)
    const short = JSON.parse(line)
    const large = textOf(repo, short.large)
    expect(large).toBe(outputOf(repo.gza('export')))
    return { short, task: readTask(large), large: short.large }
  }

  test('leaves a short line in its shard and is itself in a file of its own, whole', () => {
    const repo = aRepo()
    const { number } = JSON.parse(outputOf(repo.run(['gza', 'add', '-', '--json'], { stdin: MEGABYTE })))
    expect(number).toBe(1)
    const { short, task, large } = onlyTask(repo)
    expect(large).toBe(`large/${task.uid.slice(0, 2)}/${task.uid}.json`)
    expect(filesOf(repo)).toEqual(['format', large, 'tasks.jsonl'])
    expect(short).toMatchObject({ id: task.id, content: 'A title', status: 'pending', uid: task.uid, number: 1 })
    expect(task.content).toBe(MEGABYTE)
    expect(JSON.parse(outputOf(repo.gza('show', '1', '--json'))).content).toBe(MEGABYTE)
    expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
  })

  test('stays there when its content is edited to a few words: nothing that was written is forgotten', () => {
    const repo = aRepo()
    outputOf(repo.run(['gza', 'add', '-'], { stdin: MEGABYTE }))
    outputOf(repo.gza('edit', '1', '--content', 'In short'))
    const { short, task } = onlyTask(repo)
    expect(short.content).toBe('In short')
    expect([task.content, task.original]).toEqual(['In short', MEGABYTE])
    expect(outputOf(repo.gza('verify'))).toStartWith('main: ok (2 commits, 1 task)')
    expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
  })

  test('may have grown by notes, and is read from its file by another clone', () => {
    const repo = aRepoWith(70)
    for (const n of [1, 2, 3]) outputOf(repo.gza('note', '5', `${n} ${'x'.repeat(400)}`))
    const large = filesOf(repo).filter((path) => path.startsWith('large/'))
    expect(large).toHaveLength(1)
    const clone = repo.clone()
    clone.git('fetch', '--quiet', 'origin', 'refs/tasks/*:refs/tasks/*')
    expect(exportedTasks(clone)).toEqual(exportedTasks(repo))
    outputOf(repo.gza('note', '5', 'only its own file changes'))
    expect(touched(repo)).toEqual(large)
    clone.git('fetch', '--quiet', 'origin', 'refs/tasks/*:refs/tasks/*')
    expect(exportedTasks(clone)).toEqual(exportedTasks(repo))
    expect(answersOf(clone)).toEqual(rebuiltAnswers(clone))
  })

  test('taken back by hand to when it was small is in its shard again', () => {
    const repo = aRepo()
    outputOf(repo.gza('add', 'short'))
    const small = textOf(repo, 'tasks.jsonl')
    outputOf(repo.gza('note', '1', 'x'.repeat(2000)))
    expect(filesOf(repo)).toHaveLength(3)
    repo.git('update-ref', 'refs/tasks/main', 'refs/tasks/main~1')
    expect(outputOf(repo.gza('export'))).toBe(small)
    outputOf(repo.gza('done', '1'))
    expect(filesOf(repo)).toEqual(['format', 'tasks.jsonl'])
    expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
  })
})

test('whatever a content holds, it comes back as it was', () => {
  const anyContent = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('\n', '\u2028', '"', '\\', '|', '`', '🦄', '\u0000', '\u001b', ' '),
      maxLength: 20,
    }),
    fc.string({ unit: 'grapheme', minLength: 600, maxLength: 900 }),
  )
  const anyContents = fc.array(
    anyContent.map((text) => `x${text}x`),
    { minLength: 30, maxLength: 80 },
  )
  fc.assert(
    fc.property(anyContents, (contents) => {
      const repo = aRepo()
      importText(repo, contents.map((content) => `${JSON.stringify({ content })}\n`).join(''))
      const expected = contents.map((content) => content.replaceAll('\r\n', '\n'))
      expect(exportedTasks(repo).map(({ content }) => content)).toEqual(expected)
      expect(rebuiltAnswers(repo).export).toBe(outputOf(repo.gza('export')))
      expect(exportedTasks(repo).map(({ content }) => content)).toEqual(expected)
      repo.remove()
    }),
    { numRuns: 8 },
  )
})
