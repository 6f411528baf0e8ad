import fc from 'fast-check'
import type { Sized } from '../../src/core/size/complexity.ts'

const anyFolder = fc.constantFrom(
  '.',
  'src',
  './src',
  'src/models',
  'src/services',
  'src/views',
  'src/api',
  'test',
  'docs',
)
const anyFileName = fc.constantFrom(
  'user.ts',
  'order.py',
  'cart.go',
  'user.test.ts',
  'test_order.py',
  'README',
  'x.sql',
)
const anyPath = fc.oneof(
  fc.tuple(anyFolder, anyFileName).map((names) => names.join('/')),
  fc.string({ minLength: 1, maxLength: 6 }).filter((path) => path.trim() !== ''),
)
const anyPaths = fc.option(fc.array(anyPath, { maxLength: 14 }), { nil: undefined })

const anySentence = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'async',
        'jwt',
        'migration',
        'cache',
        'somehow',
        'better',
        'etc',
        'the user model',
        'a page shows',
      ),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((words) => words.join(' '))

/** Tasks of every size, from nothing to far too much, with doubled files and words of all weights among them. */
export const anySized: fc.Arbitrary<Sized> = fc.record(
  {
    title: anySentence,
    content: fc.oneof(
      anySentence,
      fc.nat(900).map((length) => 'ten letters '.repeat(length)),
    ),
    user_story: anySentence,
    acceptance_criteria: fc.array(anySentence, { maxLength: 10 }),
    files_to_create: anyPaths,
    files_to_modify: anyPaths,
    test_files: anyPaths,
  },
  { requiredKeys: [] },
)
