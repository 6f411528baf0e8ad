import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { linkTodo, recordOf, type TakenUp } from './link-todo.ts'
import { readTodo } from './read-todo.ts'

const LIST = '# One\n- [ ] Add login\n- [ ] Add logout\n- [ ] Show prices\n# Two\n- [ ] Tests\n- [ ] Send mail\n'

/** The item with this number, taken up while the file was as given. */
function taken(text: string, number: number, more: Partial<TakenUp> = {}): TakenUp {
  const items = readTodo(text)
  const record = recordOf(items, number - 1, 'TODO.md')
  return { uid: `t${number}`, title: record.text, group: record.heading, isOpen: true, record, ...more }
}

function linked(text: string, tasks: TakenUp[]): Record<number, string> {
  const links = linkTodo(readTodo(text), tasks)
  return Object.fromEntries(
    [...links].map(([number, link]) => [number, link.kind === 'task' ? link.uid : `${link.uids.join(' or ')}?`]),
  )
}

test('the same words are the same item, wherever it is', () => {
  const moved = '# Two\n- [ ] Show prices\n# New\n- [ ] Tests\n- [ ] Add login\n'
  expect(linked(moved, [taken(LIST, 1), taken(LIST, 3)])).toEqual({ 1: 't3', 3: 't1' })
})

test('of two items with the same words, the one at the old place is meant; if neither is there, both may be', () => {
  const twice = '# One\n- [ ] Tests\n# Two\n- [ ] Tests\n- [ ] Send mail\n'
  expect(linked(twice, [taken(LIST, 4)])).toEqual({ 2: 't4' })
  const elsewhere = '# Three\n- [ ] Tests\n- [ ] Pay\n# Four\n- [ ] Tests\n- [ ] Pay\n'
  expect(linked(elsewhere, [taken(LIST, 4)])).toEqual({ 1: 't4?', 3: 't4?' })
  expect(linked(elsewhere, [taken(LIST, 4), taken(LIST, 4, { uid: 'again' })])).toEqual({ 1: 'again', 3: 't4' })
})

test('similar words beside the same item are a rewording; a former neighbour is another item', () => {
  expect(linked(LIST.replace('Show prices', 'Show prices in euros'), [taken(LIST, 3)])).toEqual({ 3: 't3' })
  expect(linked(LIST.replace('- [ ] Add login\n', ''), [taken(LIST, 1)])).toEqual({})
  const both = LIST.replace('Add login', 'Add a login page').replace('Add logout', 'Add a logout page')
  expect(linked(both, [taken(LIST, 1), taken(LIST, 2)])).toEqual({ 1: 't1?', 2: 't2' })
})

test('a place alone or words alone are not enough, and are mentioned while the task is open', () => {
  const other = LIST.replace('Show prices', 'Charge customers')
  expect(linked(other, [taken(LIST, 3)])).toEqual({ 3: 't3?' })
  expect(linked(other, [taken(LIST, 3, { isOpen: false })])).toEqual({})
  expect(linked('# New\n- [ ] Pay\n- [ ] Send mails\n', [taken(LIST, 5)])).toEqual({ 2: 't5?' })
})

test('of many similar items, the one with the nearest wording is mentioned', () => {
  const all = ['cart', 'checkout', 'search', 'login']
  const text = (words: readonly string[]) => words.map((word) => `- [ ] Write more tests for the ${word}\n`).join('')
  expect(linked(text(['search', 'cart page', 'login']), [taken(text(all), 1)])).toEqual({ 2: 't1?' })
})

test('a task that was not filed from an item is recognised by its words only', () => {
  const filed = { record: null, group: null }
  expect(linked(LIST, [taken(LIST, 4, filed)])).toEqual({ 4: 't4' })
  expect(linked(LIST.replace('Tests', 'Testing'), [taken(LIST, 4, filed)])).toEqual({})
})

test('in an unchanged list each task is an item, and no task is ever two items', () => {
  const lists = fc.array(fc.constantFrom('- [ ] a', '- [ ] b', '- [x] a', '# One', '# Two', '- [ ] login'), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(lists, lists, (before, after) => {
      const text = before.join('\n')
      const tasks = readTodo(text).map(({ number }) => taken(text, number))
      expect(Object.values(linked(text, tasks)).sort()).toEqual(tasks.map(({ uid }) => uid).sort())
      const sure = Object.values(linked(after.join('\n'), tasks)).filter((uid) => !uid.endsWith('?'))
      expect(new Set(sure).size).toBe(sure.length)
    }),
  )
})
