import { expect, test } from 'bun:test'
import { splitCode } from './split-code.ts'

test('code, texts, comments and patterns are told apart, and nothing is lost', () => {
  const source = `a('it\\'s') // b\nc / d / \`e \${f({ g: \`h\` })} i\` /* j */ + /[/'](k)/u.l\n`
  const pieces = splitCode(source)
  expect(pieces.map(({ text }) => text).join('')).toBe(source)
  expect(pieces.filter(({ kind }) => kind !== 'code').map(({ kind, text, line }) => [kind, text, line])).toEqual([
    ['text', "'it\\'s'", 1],
    ['comment', '// b', 1],
    ['text', `\`e \${`, 2],
    ['text', '`h`', 2],
    ['text', '} i`', 2],
    ['comment', '/* j */', 2],
    ['pattern', "/[/'](k)/u", 2],
  ])
})
