import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { boxIn, readFlowStep, readTodo } from './read-todo.ts'

const TODO =
  '\uFEFF# Backlog\r\n\r\n- [ ] Add authentication  \r\n  OAuth too\r\n  - [x] Model\r\n  - [ ] Login\r\n\r\n```\r\n- [ ] no item\r\n```\r\n## Later\r\n1. [ ] Add search'

test('items are numbered from the top, parts and ticked ones included, under their headings', () => {
  expect(readTodo(TODO).map(({ number, text, done, depth, heading }) => [number, text, done, depth, heading])).toEqual([
    [1, 'Add authentication', false, 0, 'Backlog'],
    [2, 'Model', true, 1, 'Backlog'],
    [3, 'Login', false, 1, 'Backlog'],
    [4, 'Add search', false, 0, 'Later'],
  ])
  expect(readTodo(TODO)[0]?.content).toBe('Add authentication\n\nOAuth too\n\n- Model\n- Login')
})

test('the box of an item is one sign, and ticking it changes nothing else in any file', () => {
  const piece = fc.constantFrom(
    '- [ ] a',
    '  * [ ] b  ',
    '\t1. [ ] c',
    '- [x] d',
    '```',
    '# H',
    'text',
    '',
    '> - [ ] q',
    '- [ ]e',
    'ü – [ ]',
  )
  const end = fc.constantFrom('\n', '\r\n', '\r')
  const file = fc.tuple(fc.boolean(), fc.array(fc.tuple(piece, end), { maxLength: 12 }))
  fc.assert(
    fc.property(file, ([hasMark, lines]) => {
      const text = (hasMark ? '\uFEFF' : '') + lines.map((parts) => parts.join('')).join('')
      const before = readTodo(text)
      for (const item of before) {
        const box = boxIn(text, item.line)
        if (box === null || item.done) continue
        expect(box.sign).toBe(' ')
        const ticked = `${text.slice(0, box.at)}x${text.slice(box.at + 1)}`
        expect(readTodo(ticked)).toEqual(
          before.map((one) => (one.number === item.number ? { ...one, done: true } : one)),
        )
      }
    }),
  )
})

test('a step has a type if one is written before it', () => {
  expect(readFlowStep('plan: Write the plan')).toEqual({ type: 'plan', title: 'Write the plan' })
  expect(readFlowStep('Finish branch')).toEqual({ type: 'task', title: 'Finish branch' })
  expect(readFlowStep('note: this')).toEqual({ type: 'task', title: 'note: this' })
})
