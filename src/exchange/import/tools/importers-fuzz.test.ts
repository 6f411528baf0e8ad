import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { UserError } from '../../../core/user-error.ts'
import { IMPORTERS } from './importers.ts'

/** Input that looks like a tool's own, but is malformed. */
const words = fc.constantFrom(
  'id',
  'title',
  'tasks',
  'master',
  'number',
  'status',
  'dependencies',
  'subtasks',
  'labels',
)
const value = fc.jsonValue({ maxDepth: 3 })
const shaped = fc.dictionary(words, fc.oneof(value, fc.array(fc.dictionary(words, value), { maxLength: 3 })))
const yaml = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom('id: A', 'title: B', 'status: Done', 'x: &a [*a]', 'y: *nobody', '- [ ] #1 C'),
    ),
  )
  .map((lines) => `---\n${lines.join('\n')}\n---\n## Description\n`)
const text = fc.oneof(
  fc.string(),
  fc.json(),
  shaped.map((object) => JSON.stringify(object)),
  fc.array(shaped, { maxLength: 3 }).map((list) => JSON.stringify(list)),
  yaml,
)

test('an importer reads any file or reports what is wrong', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('file', 'config.yml', 'milestones/a.md'), (content, name) => {
      for (const importer of IMPORTERS) {
        expect(typeof importer.recognises({ name, text: content })).toBe('boolean')
        const error = errorOf(() => importer.read([{ name, text: content }]))
        expect(error === null || error instanceof UserError).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

function errorOf(work: () => unknown): unknown {
  try {
    work()
    return null
  } catch (error) {
    return error
  }
}
