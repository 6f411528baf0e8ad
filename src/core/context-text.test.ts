import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ContextLine, contextText } from './context-text.ts'

function aLine(title: string, fields: Partial<ContextLine> = {}): ContextLine {
  const plain = { status: 'pending', assigned_agent: null, plan_file: null, current: false, step: null } as const
  return { id: title, parent: null, title, parts: null, ...plain, ...fields }
}

const WHOLE = { maxTokens: 2000, path: [], plan: null, isCut: false }

test('the tasks of 004 read as it shows them', () => {
  const lines = [
    aLine('Task 1: Add user model', { assigned_agent: 'backend', status: 'completed' }),
    aLine('Task 2: Add login endpoint', { assigned_agent: 'backend', step: 'Spec review', current: true }),
    aLine('Task 3: Add JWT middleware'),
  ]
  expect(contextText(lines, WHOLE).markdown).toBe(`## Current Tasks
- [x] Task 1: Add user model (@backend, completed)
- [ ] Task 2: Add login endpoint (@backend, in spec review)  <-- current
- [ ] Task 3: Add JWT middleware (pending)
`)
})

test('what they are part of and what was left out stand below', () => {
  const lines = [aLine('Execute plan', { current: true, parts: { done: 1, total: 3 } })]
  const { markdown } = contextText(lines, { ...WHOLE, path: ['Auth', 'Phase 1'], plan: 'plan.md', isCut: true })
  expect(markdown).toBe(`## Current Tasks
- [ ] Execute plan (1 of 3 done)  <-- current

(More tasks are left out; gza tree shows all.)

Part of: Auth > Phase 1
Plan: plan.md
`)
  expect(contextText([], WHOLE).markdown).toBe('## Current Tasks\nNo open tasks.\n')
})

test('it keeps to its tokens, always has the current task, and counts what it leaves out', () => {
  const some = fc.array(fc.record({ size: fc.nat(300), isTaken: fc.boolean() }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(some, fc.nat(), fc.integer({ min: 1, max: 1500 }), (sizes, pick, maxTokens) => {
      const lines = sizes.map(({ size, isTaken }, at) =>
        aLine(`${at} ${'x'.repeat(size)}`, {
          current: at === pick % sizes.length,
          ...(isTaken && { assigned_agent: 'a' }),
        }),
      )
      const { markdown, shown, omitted } = contextText(lines, { ...WHOLE, maxTokens })
      expect(shown.some(({ current }) => current)).toBe(true)
      expect(shown.length + omitted).toBe(lines.length)
      expect(markdown.match(/^- \[/gm)).toHaveLength(shown.length)
      if (shown.length > 1) expect(markdown.length).toBeLessThanOrEqual(maxTokens * 4)
      expect(markdown.includes('left out')).toBe(omitted > 0)
    }),
  )
})

test('a title of several lines cannot pass for more than one task', () => {
  const { markdown } = contextText([aLine('One\n- [x] Two\n## Else', { current: true })], WHOLE)
  expect(markdown).toBe('## Current Tasks\n- [ ] One - [x] Two ## Else (pending)  <-- current\n')
})
