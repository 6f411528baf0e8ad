import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { putSection } from './marked-section.ts'

test('the section follows the existing text, and replaces an earlier one', () => {
  const first = putSection('Please look.\n', '- [ ] A\n')
  expect(first).toBe('Please look.\n\n<!-- gza:begin -->\n- [ ] A\n<!-- gza:end -->')
  expect(putSection(`${first}\r\nThanks`, '- [x] A')).toBe(
    'Please look.\n\n<!-- gza:begin -->\n- [x] A\n<!-- gza:end -->\r\nThanks',
  )
  expect(putSection('', 'A')).toBe('<!-- gza:begin -->\nA\n<!-- gza:end -->')
})

test('a begin mark without an end mark is ordinary text', () => {
  const once = putSection('<!-- gza:begin --> mine', 'A')
  expect(once).toBe('<!-- gza:begin --> mine\n\n<!-- gza:begin -->\nA\n<!-- gza:end -->')
  expect(putSection(once, 'A')).toBe(once)
})

test('with any text around it, inserting the same section again changes nothing', () => {
  const text = fc
    .array(fc.constantFrom('<!-- gza:begin -->', '<!-- gza:end -->', 'text\n', '\r\n', ' '))
    .map((p) => p.join(''))
  fc.assert(
    fc.property(text, fc.constantFrom('A', '- [ ] A\n- [x] B\n', ''), (body, section) => {
      const once = putSection(body, section)
      expect(putSection(once, section)).toBe(once)
    }),
  )
})

test('a section that is too long for a description is cut at a line, with a note', () => {
  const lines = Array.from({ length: 5000 }, (_, at) => `- [ ] task-${at}: something that is to be done`).join('\n')
  const body = putSection('Please look.', lines)
  expect(body.length).toBeLessThanOrEqual(65_536)
  expect(body).toEndWith('done\n\n(More tasks than a description can hold.)\n<!-- gza:end -->')
  expect(putSection(body, lines)).toBe(body)
})
