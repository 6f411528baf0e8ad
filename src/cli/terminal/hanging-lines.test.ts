import { expect, test } from 'bun:test'
import { wrapField, wrapLines } from './hanging-lines.ts'

const at = (width: number | null, ...lines: string[]) => wrapLines(lines.join('\n'), { width }).split('\n')

test('a text is wrapped between words, and what continues an entry of a list begins below its words', () => {
  expect(at(20, 'A line that is too long', '', 'short')).toEqual(['A line that is too', 'long', '', 'short'])
  expect(at(20, '  - [ ] An entry with many words')).toEqual(['  - [ ] An entry', '        with many', '        words'])
  expect(at(20, '12. A step with many words')).toEqual(['12. A step with many', '    words'])
})

test('a word that is too long is not broken, and wide letters count twice', () => {
  expect(at(10, 'see /a/path/that/is/long now')).toEqual(['see', '/a/path/that/is/long', 'now'])
  expect(at(13, '構文解析 を書く 人')).toEqual(['構文解析', 'を書く 人'])
})

test('code between fences stays as it is, also where no second fence follows', () => {
  const code = '```sh\na line of code that is too long\n```'
  expect(at(20, code, 'A line that is too long')).toEqual([...code.split('\n'), 'A line that is too', 'long'])
  expect(at(20, '~~~', 'a line of code that is too long', '```')).toEqual([
    ...['~~~', 'a line of code that is too long', '```'],
  ])
})

test('without a terminal nothing is wrapped', () => {
  expect(at(null, 'A line that is too long')).toEqual(['A line that is too long'])
})

test('the first line of a field is continued where its further lines begin', () => {
  expect(wrapField('note: A line that is too long\n    another line that is too long', 4, { width: 20 })).toBe(
    'note: A line\n    that is too long\n    another line\n    that is too long',
  )
})
