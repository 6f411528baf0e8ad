import { expect, test } from 'bun:test'
import type { Source } from '../source.ts'
import { importCycles } from './cycles.ts'

test('files that import each other are named together, also where only types are imported', () => {
  const a = file('a', "import { b } from './b.ts'")
  const b = file('b', "import {\n  type C,\n} from './c.ts'")
  const c = file('c', "import type { A } from './a.ts'")
  const apart = file('d', "import { a } from './a.ts'")
  expect(importCycles([a, b, c, apart])).toEqual([
    'these files import each other: src/core/a.ts, src/core/b.ts, src/core/c.ts',
  ])
  expect(importCycles([a, b, file('c', ''), apart])).toEqual([])
})

test('several circles are all found, and one of a single file is one', () => {
  const circle = [file('a', "export * from './b.ts'"), file('b', "import './a.ts'")]
  expect(importCycles([...circle, file('own', "import { x } from './own.ts'")])).toEqual([
    'these files import each other: src/core/a.ts, src/core/b.ts',
    'these files import each other: src/core/own.ts',
  ])
})

test('an import at run time closes no circle', () => {
  expect(importCycles([file('a', "import './b.ts'"), file('b', "const a = () => import('./a.ts')")])).toEqual([])
})

function file(name: string, text: string): Source {
  return { path: `src/core/${name}.ts`, text }
}
