import { expect, test } from 'bun:test'
import { matchesPath } from './path-pattern.ts'

test.each([
  ['src/parser.ts', 'src/parser.ts', true],
  ['./src/', 'src/parser.ts', true],
  ['src/par', 'src/parser.ts', true],
  ['parser.ts', 'src/parser.ts', true],
  ['parser', 'src/parser.ts', false],
  ['lib', 'src/parser.ts', false],
  ['*.ts', 'src/deep/parser.ts', true],
  ['src/*.ts', 'src/parser.ts', true],
  ['src/*.ts', 'src/deep/parser.ts', false],
  ['src/**/*.ts', 'src/parser.ts', true],
  ['src/**/*.ts', 'src/a/b/parser.ts', true],
  ['src/*', 'src/deep/parser.ts', true],
  ['p?rser.ts', 'src/parser.ts', true],
  ['src?parser.ts', 'src/parser.ts', false],
  ['[a].ts', '[a].ts', true],
])('%s and %s: %p', (pattern, path, isMatch) => {
  expect(matchesPath(pattern, path)).toBe(isMatch)
})

test('many stars do not take long', () => {
  expect(matchesPath(`${'*a'.repeat(200)}b`, 'a'.repeat(400))).toBe(false)
})
