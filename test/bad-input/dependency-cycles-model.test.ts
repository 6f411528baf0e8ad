import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { cyclicComponents } from '../../src/core/graph/dependency-cycles.ts'
import { ask } from '../support/ledger-calls.ts'
import { aRepo } from '../support/repo.ts'

/** The plainest form of a ledger: what each open task depends on and is a part of, by number. */
type Model = { after: number[]; parent: number }[]

/** Places among the tasks that there are by then. */
const step = fc.record({ isNew: fc.boolean(), task: fc.nat(), after: fc.option(fc.nat()), parent: fc.option(fc.nat()) })

function hasLoop(model: Model): boolean {
  const graphs = [
    (number: number) => [model[number - 1]?.parent ?? 0],
    (number: number) => {
      const children = model.flatMap(({ parent }, at) => (parent === number ? [at + 1] : []))
      return [...(model[number - 1]?.after ?? []), ...children]
    },
  ]
  return graphs.some((next) => {
    const nodes = model.map((_, at): [string, string[]] => [String(at + 1), next(at + 1).map(String)])
    return cyclicComponents(new Map(nodes)).length > 0
  })
}

test('an edit is refused exactly where tasks would depend on themselves, and the ledger never has a cycle', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 15, maxLength: 20 }), (steps) => {
      const repo = aRepo()
      let model: Model = []
      for (const { isNew, task, after, parent } of steps) {
        const count = model.length
        const pick = (place: number | null) => (place === null || count === 0 ? 0 : (place % count) + 1)
        const [needed, above, own] = [pick(after), pick(parent), isNew || count === 0 ? count + 1 : pick(task)]
        const before = model[own - 1] ?? { after: [], parent: 0 }
        const edited = { after: needed === 0 ? before.after : [needed], parent: above === 0 ? before.parent : above }
        const wanted = model.toSpliced(own - 1, 1, edited)
        const verb = own > count ? ['add', `task ${own}`] : ['edit', `${own}`, '--priority', 'high']
        const flags = [...(needed ? ['--after', `${needed}`] : []), ...(above ? ['--parent', `${above}`] : [])]
        const isRefused = hasLoop(wanted)
        expect([...verb, ...flags, repo.gza(...verb, ...flags).code]).toEqual([...verb, ...flags, isRefused ? 1 : 0])
        if (!isRefused) model = wanted
      }
      expect(ask<{ cycles: unknown[] }>(repo, 'graph').cycles).toEqual([])
    }),
    { numRuns: 4 },
  )
})
