import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { branchName } from './branch-name.ts'

const free = (): boolean => false

test('a branch is named after the day and the words of the title', () => {
  expect(branchName('20241213', 'ImageTransform', free)).toBe('20241213-imagetransform')
  expect(branchName('20241213', 'Fix the "stats" bug (#12)!', free)).toBe('20241213-fix-the-stats-bug-12')
  expect(branchName('20241213', "Don't retry forever", free)).toBe('20241213-dont-retry-forever')
  expect(branchName('20241213', '  Title line\nand the rest of the content', free)).toBe('20241213-title-line')
})

test('letters of other alphabets become ASCII if there is a convention', () => {
  expect(branchName('20241213', 'Größe für Łódź ändern', free)).toBe('20241213-grosse-fur-lodz-andern')
  expect(branchName('20241213', 'ﬁle ① Ｗｉｄｅ smørrebrød', free)).toBe('20241213-file-1-wide-smorrebrod')
})

test('a title that cannot be written in ASCII still gets a name', () => {
  for (const title of ['画像変換', '🚀🚀', '---', '']) expect(branchName('20241213', title, free)).toBe('20241213-task')
})

test('a long title ends at a word, and one endless word is cut', () => {
  expect(branchName('20241213', 'Design the ImageTransform system per specs/v2-design.md', free)).toBe(
    '20241213-design-the-imagetransform-system-per',
  )
  expect(branchName('20241213', 'x'.repeat(300), free)).toBe(`20241213-${'x'.repeat(40)}`)
})

test('a name that is taken gets the next free number', () => {
  const taken = ['20241213-fix', '20241213-fix-2']
  expect(branchName('20241213', 'Fix', (branch) => taken.includes(branch))).toBe('20241213-fix-3')
})

test('git accepts the name for any title', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (title) => {
      expect(branchName('20241213', title, free)).toMatch(/^20241213(?:-[a-z0-9]+)+$/)
      expect(branchName('20241213', title, free).length).toBeLessThanOrEqual(49)
    }),
  )
})
