import { describe, expect, test } from 'bun:test'
import { outputOf } from '../support/ledger-answers.ts'
import { add, aStartedRepo, ask, gza, listAll, show } from '../support/ledger-calls.ts'
import { refusalOf } from './refused-command.ts'

const MEGABYTE = 1024 * 1024

describe('a content of a megabyte', () => {
  const repo = aStartedRepo()
  const lines = Array.from({ length: 16_000 }, (_, n) => `${n} ${'ä'.repeat(30)}`)
  const text = lines.join('\n')
  outputOf(repo.run(['gza', 'add', '--title', 'Large'], { stdin: text }))

  test('is stored and shown whole', () => {
    expect(show(repo, 1).content).toBe(text)
    expect(gza(repo, 'show', '1').split('\n').length).toBeGreaterThan(lines.length)
  })

  test('can be noted, edited, closed, exported, imported and verified like any other', () => {
    gza(repo, 'note', '1', 'a note')
    outputOf(repo.run(['gza', 'edit', '1', '--content', '-'], { stdin: `${text}\nmore` }))
    gza(repo, 'done', '1')
    expect(show(repo, 1)).toMatchObject({ content: `${text}\nmore`, notes: ['a note'], status: 'completed' })
    const other = aStartedRepo()
    outputOf(other.run(['gza', 'import', '-'], { stdin: gza(repo, 'export') }))
    expect(gza(other, 'export')).toBe(gza(repo, 'export'))
    expect(repo.gza('verify').code).toBe(0)
  })

  test('costs the tasks beside it nothing: their file stays small', () => {
    add(repo, 'small')
    const sizes = repo.git('ls-tree', '-r', '-l', 'refs/tasks/main').split('\n')
    const tail = sizes.find((row) => row.endsWith('\ttasks.jsonl'))
    expect(Number(tail?.split(/\s+/)[3])).toBeLessThan(2048)
  })
})

test('a megabyte in one line is one line of every list', () => {
  const repo = aStartedRepo()
  const text = '`*_[<&'.repeat(MEGABYTE / 6)
  outputOf(repo.run(['gza', 'add'], { stdin: text }))
  for (const args of [['list'], ['next'], ['status'], ['pr'], ['export', '--markdown'], ['export', '--csv']])
    expect({
      args,
      long: gza(repo, ...args)
        .split('\n')
        .filter((line) => line.length > MEGABYTE / 2).length,
    }).toEqual({
      args,
      long: 1,
    })
  expect(gza(repo, 'log').length).toBeLessThan(200)
})

test('20 MB are refused, and nothing of them is kept', () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  const stdin = 'x'.repeat(20 * MEGABYTE)
  const tooLarge = {
    exit: 1,
    code: 'CONTENT_TOO_LARGE',
    message: 'The content has 20 MB; the limit for a task is 16 MB',
    hint: 'Commit the text as a file and name it in the task.',
  }
  expect(refusalOf(repo, ['add'], { stdin })).toEqual(tooLarge)
  expect(refusalOf(repo, ['edit', '1', '--content', '-'], { stdin })).toEqual(tooLarge)
  expect(refusalOf(repo, ['note', '1', '-'], { stdin })).toEqual({
    ...tooLarge,
    message: 'The note has 20 MB; the limit for a note is 16 MB',
  })
  expect(repo.git('count-objects', '-v')).toContain('size-pack: 0')
})

test('16 MB less a little work', () => {
  const repo = aStartedRepo()
  const text = `${'word '.repeat(3 * MEGABYTE)}end`
  outputOf(repo.run(['gza', 'add', '--title', 'Huge'], { stdin: text }))
  expect(show(repo, 1).content).toBe(text)
})

test('5,000 notes on one task are all there, and the next is as easy', () => {
  const repo = aStartedRepo()
  const notes = Array.from({ length: 5000 }, (_, n) => `note ${n} ${'x'.repeat(40)}`)
  outputOf(repo.run(['gza', 'import', '-'], { stdin: `${JSON.stringify({ content: 'noted', notes })}\n` }))
  gza(repo, 'note', '1', 'one more')
  expect(show(repo, 1).notes).toEqual([...notes, 'one more'])
  expect(
    gza(repo, 'show', '1')
      .split('\n')
      .filter((line) => line.startsWith('note: ')),
  ).toHaveLength(5001)
  gza(repo, 'undo')
  expect(show(repo, 1).notes).toEqual(notes)
  expect(repo.gza('verify').code).toBe(0)
})

test('thousands of children, criteria and dependencies of one task are all there', () => {
  const repo = aStartedRepo()
  const children = Array.from({ length: 2000 }, (_, n) => ({ content: `child ${n}`, id: `c${n}` }))
  const criteria = Array.from({ length: 2000 }, (_, n) => `criterion ${n}`)
  const parent = { content: 'parent', acceptance_criteria: criteria, after: children.map(({ id }) => id) }
  const stdin = [...children, parent].map((line) => `${JSON.stringify(line)}\n`).join('')
  outputOf(repo.run(['gza', 'import', '-'], { stdin }))
  const task = show(repo, 2001)
  expect({ after: task.after?.length, criteria: task.acceptance_criteria, blocked: task.blocked_by.length }).toEqual({
    after: 2000,
    criteria,
    blocked: 2000,
  })
  expect(listAll(repo)).toHaveLength(2001)
  expect(ask<unknown[]>(repo, 'ready')).toHaveLength(2000)
})

test('items nested 5,000 deep are imported, listed and exported', () => {
  const repo = aStartedRepo()
  let nested = '{"content":"leaf"}'
  for (let n = 0; n < 5000; n++) nested = `{"content":"level ${5000 - n}","children":[${nested}]}`
  outputOf(repo.run(['gza', 'import', '-'], { stdin: nested }))
  expect(listAll(repo)).toHaveLength(5001)
  expect(gza(repo, 'pr').match(/^ *- \[ \]/gm)).toHaveLength(5001)
  expect(gza(repo, 'export', '--markdown').match(/^ *- \[ \]/gm)).toHaveLength(5001)
})
