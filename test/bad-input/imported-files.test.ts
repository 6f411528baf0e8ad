import { describe, expect, test } from 'bun:test'
import { taskLine } from '../../src/core/ledger/task-line.ts'
import { taskWithPrefix } from '../support/handmade-commits.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { add, aStartedRepo, ask, contents, gza, show } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import { refusalOf } from './refused-command.ts'

const HINT = 'Nothing was imported. Correct the line and import again.'
const GOOD = '{"content":"good"}\n'

/** Refuses a file whose first line is good; everything stays as it was. */
function refusedImport(repo: Repo, text: string, name = 'tasks.jsonl') {
  repo.write(name, text)
  const refusal = refusalOf(repo, ['import', name])
  expect(refusalOf(repo, ['import', name, '--dry-run'])).toEqual(refusal)
  expect(contents(repo)).toEqual(['one'])
  return refusal
}

describe('a file of lines with a bad one in it', () => {
  const repo = aStartedRepo()
  add(repo, 'one')

  test.each([
    ['no JSON', 'not json', 'not JSON'],
    ['JSON cut off', '{"content":"cut', 'not JSON'],
    ['a list', '[]', 'line: Invalid input: expected object, received array'],
    ['nothing', 'null', 'line: Invalid input: expected object, received null'],
    ['no content', '{"id":"a"}', 'content: Invalid input: expected string, received undefined'],
    ['an empty content', '{"content":" \\n "}', 'A task needs some content'],
    ['a number for a content', '{"content":5}', 'content: Invalid input: expected string, received number'],
    ['an unknown status', '{"content":"x","status":"won"}', expect.stringContaining('status: ')],
    ['an unknown type', '{"content":"x","type":"epic"}', expect.stringContaining('type: ')],
    ['a time that is none', '{"content":"x","created_at":"yesterday"}', 'created_at: Invalid ISO datetime'],
    ['notes that are none', '{"content":"x","notes":[{"x":1}]}', 'notes.0: Invalid input'],
    ['a reference to nothing', '{"content":"x","after":"nope"}', 'No task nope on main'],
    ['a parent that is nothing', '{"content":"x","parent":"nope"}', 'No task nope on main'],
    [
      'a bad child',
      '{"content":"x","children":[{"content":"y","children":[7]}]}',
      expect.stringContaining('children: '),
    ],
  ])('(%s) is refused with the name of the line', (_, line, why) => {
    const refusal = refusedImport(repo, `${GOOD}\n${line}\n${GOOD}`)
    expect(refusal).toMatchObject({ exit: 1, code: 'BAD_IMPORT', hint: HINT })
    expect(refusal.message.replace('tasks.jsonl line 3: ', '')).toEqual(why)
    expect(refusal.message).toStartWith('tasks.jsonl line 3: ')
  })

  test('(a name given twice) is refused: it is not clear which one is meant', () => {
    expect(refusedImport(repo, '{"content":"a","id":"X"}\n{"content":"b","key":"X"}\n')).toEqual({
      exit: 1,
      code: 'BAD_IMPORT',
      message: 'tasks.jsonl line 2: another line already has the name X',
      hint: HINT,
    })
  })

  test.each([
    ['after', 'DEPENDENCY_CYCLE', 'These tasks wait for each other', ' (explicit)'],
    ['depends_on', 'DEPENDENCY_CYCLE', 'These tasks wait for each other', ' (explicit)'],
    ['parent', 'PARENT_CYCLE', 'These tasks are each other’s parents', ''],
  ])('(a circle of %s) is refused, and shown', (field, code, what, kind) => {
    const line = (id: string, to: string) => `${JSON.stringify({ content: `task ${id}`, id, [field]: to })}\n`
    expect(refusedImport(repo, line('a', 'b') + line('b', 'c') + line('c', 'a'))).toEqual({
      exit: 1,
      code,
      message: `${what}: task a → task b${kind} → task c${kind} → task a${kind}`,
      hint: 'Nothing was imported. Leave out one of these links.',
    })
    const alone = `${what}: task a → task a${kind}`
    expect(refusedImport(repo, line('a', 'a'))).toMatchObject({ exit: 1, code, message: alone })
  })

  test.each([
    ['an empty file', '', 'tasks.jsonl contains no task'],
    ['empty lines', '\n \n', 'tasks.jsonl contains no task'],
  ])('(%s) is refused', (_, text, message) => {
    expect(refusedImport(repo, text)).toMatchObject({ exit: 1, code: 'NOTHING_TO_IMPORT', message })
  })

  test('(a list) is read entry by entry, and one that is empty is refused by the name of where it came from', () => {
    const fresh = aStartedRepo()
    const list = '[\n  {"content": "a", "id": "A"},\n  {"content": "b", "after": "A"}\n]'
    expect(fresh.run(['gza', 'import', '-'], { stdin: list }).stdout).toBe('Imported 2 tasks\n')
    const nothing = { exit: 1, code: 'NOTHING_TO_IMPORT', message: 'standard input contains no task' }
    for (const stdin of ['[]', '', '# words\n'])
      expect(refusalOf(fresh, ['import', '-'], { stdin })).toMatchObject(nothing)
    const stdin = '[{"content":"a"},{}]'
    expect(refusalOf(fresh, ['import', '-'], { stdin }).message).toStartWith('standard input entry 2: content: ')
    const shown = refusalOf(fresh, ['import', '-'], { stdin: gza(fresh, 'export', '--json') })
    expect(shown.message).toContain('gza export --jsonl has all')
    expect(contents(fresh)).toEqual(['a', 'b'])
  })

  test('a checklist without an item, a folder, no file and no text are refused', () => {
    expect(refusedImport(repo, '# Plan\n\nwords\n', 'PLAN.md')).toMatchObject({ exit: 1, code: 'NOTHING_TO_IMPORT' })
    const message = `${repo.dir} contains no tasks of beads, Task Master or Backlog.md`
    expect(refusalOf(repo, ['import', '.'])).toMatchObject({ exit: 1, code: 'NOTHING_TO_IMPORT', message })
    expect(refusalOf(repo, ['import', 'no.md'])).toMatchObject({ exit: 2, code: 'UNREADABLE_FILE' })
    repo.run(['sh', '-c', "printf 'caf\\351\\n' > latin1.md"])
    expect(refusalOf(repo, ['import', 'latin1.md'])).toMatchObject({ exit: 1, code: 'NOT_UTF8' })
  })
})

describe('a line that claims to be a task already', () => {
  const honest = { ...taskWithPrefix('a', 1), number: 7 }
  const line = (fields: Record<string, unknown>) =>
    `${JSON.stringify({ ...JSON.parse(taskLine(honest)), ...fields })}\n`

  test.each([
    ['another content', { content: 'forged' }, 'content does not match its id'],
    ['another author', { created_by: 'forged' }, 'content does not match its id'],
    ['another time', { created_at: '2020-01-01T00:00:00Z' }, 'content does not match its id'],
    ['another salt', { salt: '00' }, 'content does not match its id'],
    ['another uid', { uid: 'a'.repeat(40), id: 'task-aaaa' }, 'content does not match its id'],
    ['a content that no edit gave it', { content: 'forged', original: honest.content }, 'do not match its edits'],
    ['the id of another', { id: 'task-0000' }, 'its id does not match its uid'],
    [
      'an edit of the wrong kind',
      { edits: [{ field: 'after', n: 1, at: '', by: '', value: 5 }] },
      'not a valid value for its field',
    ],
    ['a number without a successor', { number: 2 ** 53 - 1 }, 'number: '],
    ['a uid that is none', { uid: 7 }, 'uid: '],
  ])('with %s is refused with its line, and so is the whole file', (_, fields, why) => {
    const repo = aStartedRepo()
    add(repo, 'one')
    const refusal = refusedImport(repo, GOOD + line(fields))
    expect(refusal).toMatchObject({ exit: 1, code: 'BAD_IMPORT', hint: HINT })
    expect(refusal.message).toStartWith('tasks.jsonl line 2: ')
    expect(refusal.message).toContain(why)
  })

  test('and is one is taken, once, whatever number it has here', () => {
    const repo = aStartedRepo()
    add(repo, 'one')
    for (const imported of [1, 0]) {
      const { stdout } = repo.run(['gza', 'import', '-'], { stdin: taskLine(honest) })
      expect(stdout).toBe(imported === 1 ? 'Imported 1 task\n' : 'Imported 0 tasks, 1 already here\n')
    }
    expect(contents(repo).toSorted()).toEqual(['one', honest.content])
    expect(repo.gza('verify').code).toBe(0)
  })

  test('is taken from people only: an agent could bring edits along', () => {
    const repo = aStartedRepo()
    add(repo, 'one')
    const exported = gza(repo, 'export')
    gza(repo, 'edit', '1', '--content', 'edited by a person')
    const edited = gza(repo, 'export')
    const fresh = aStartedRepo()
    outputOf(fresh.run(['gza', 'import', '-'], { stdin: exported }))
    const agent = fresh.withEnv({ GZA_AGENT: 'claude-code' })
    expect(refusalOf(agent, ['import', '-'], { stdin: edited })).toMatchObject({ exit: 1, code: 'AGENT_MODE' })
    expect(contents(fresh)).toEqual(['one'])
  })
})

test('what can be read of a checklist is imported, and what cannot is named', () => {
  const repo = aStartedRepo()
  repo.write('PLAN.md', '- [ ] good\n- [?] odd box\n- [x]\n-[ ] no space\n  - [ ] child\n```\n- [ ] code\n```\n')
  const { code, stdout, stderr } = repo.gza('import', 'PLAN.md')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Imported 2 tasks\n' })
  expect(stderr.split('\n').map((line) => line.split(':')[0])).toEqual(['line 2', 'line 3', 'line 4', ''])
  expect(contents(repo)).toContain('good')
})

test('nested items need no names', () => {
  const repo = aStartedRepo()
  const stdin = '{"content":"top","children":[{"content":"a","children":[{"content":"a1"}]},{"content":"b"}]}\n'
  outputOf(repo.run(['gza', 'import', '-'], { stdin }))
  const parents = ask<{ title: string; parent: string | null }[]>(repo, 'list').map(({ title, parent }) => [
    title,
    parent === null ? null : show(repo, parent).title,
  ])
  expect(parents).toEqual([
    ['top', null],
    ['a', 'top'],
    ['a1', 'a'],
    ['b', 'top'],
  ])
})
