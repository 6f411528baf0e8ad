import { expect, test } from 'bun:test'
import { wideInterfaces } from './interfaces.ts'

test('an interface with nine functions is too wide, however they are written', () => {
  const members = [
    'one(): void',
    'two?(): void',
    'three<T>(value: T): T',
    'four: () => void',
    'readonly five: (a: string) => void',
    'six: ((a: string) => void) | null',
    'seven: (\n    a: string,\n  ) => void',
    'eight(options: {\n    a(): void\n  }): void',
  ]
  expect(found(members)).toEqual([])
  expect(found([...members, 'nine(): void'])).toEqual(['src/core/a.ts:3: Wide has 9 functions, at most 8 are allowed'])
})

test('fields are not counted, nor is what a comment shows', () => {
  const fields = Array.from({ length: 20 }, (_, n) => `field${n}: string | null`)
  expect(found([...fields, '/**\n  nine(): void\n  */', 'only(): void'])).toEqual([])
})

function found(members: string[]): string[] {
  const body = members.map((member) => `  ${member}\n`).join('')
  const text = `const x = 1\n\nexport interface Wide extends Other {\n${body}}\n`
  return wideInterfaces([{ path: 'src/core/a.ts', text }])
}
