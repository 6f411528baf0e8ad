import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ContextLine, contextText } from './context-text.ts'

function aLine(title: string, fields: Partial<ContextLine> = {}): ContextLine {
  const plain = { status: 'pending', plan_file: null, current: false, step: null } as const
  const nobody = { assigned_agent: null, agent_status: null }
  return { id: title, parent: null, title, parts: null, ...plain, ...nobody, ...fields }
}

const WHOLE = { maxTokens: 2000, path: [], plan: null, isCut: false }

test('tasks are shown with their boxes, agents and states, the current one marked', () => {
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

test('a blocked or failed agent is shown as such, and no title can control the terminal or continue on the next line', () => {
  const had = (title: string, agent_status: ContextLine['agent_status'], step: string | null = null) =>
    aLine(title, { assigned_agent: 'backend', agent_status, step })
  const lines = [
    had('A', 'busy'),
    had('B', 'blocked'),
    had('C', 'failed'),
    had('D', 'blocked', 'Spec\nreview'),
    aLine('\u001b[31mred\n- [x] done', { status: 'blocked' }),
  ]
  expect(contextText(lines, WHOLE).markdown).toBe(`## Current Tasks
- [ ] A (@backend, active)
- [ ] B (@backend, blocked)
- [ ] C (@backend, failed)
- [ ] D (@backend, blocked in spec review)
- [ ] \\x1b[31mred - [x] done (blocked)
`)
})

test('the whole and the number of omitted tasks follow the list', () => {
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

test('it stays within its tokens, begins with the current task, and counts what it leaves out', () => {
  const some = fc.array(fc.record({ size: fc.nat(300), isTaken: fc.boolean() }), { minLength: 1, maxLength: 60 })
  const around = fc.record({ path: fc.array(fc.string(), { maxLength: 3 }), isCut: fc.boolean() })
  fc.assert(
    fc.property(some, fc.nat(), fc.integer({ min: 1, max: 1500 }), around, (sizes, pick, maxTokens, more) => {
      const lines = sizes.map(({ size, isTaken }, at) =>
        aLine(`${at} ${'x'.repeat(size)}`, {
          current: at === pick % sizes.length,
          ...(isTaken && { assigned_agent: 'a' }),
        }),
      )
      const { markdown, shown, omitted } = contextText(lines, { ...WHOLE, maxTokens, ...more })
      expect(markdown.length).toBeLessThanOrEqual(maxTokens * 4)
      expect(shown.some(({ current }) => current)).toBe(true)
      expect(shown.length + omitted).toBe(lines.length)
      if (maxTokens > 1) expect(markdown.match(/^- \[/gm)).toHaveLength(shown.length)
      if (shown.length > 1) expect(markdown.includes('left out')).toBe(omitted > 0 || more.isCut)
    }),
  )
})

test('if there is little room, only the current task is left', () => {
  const lines = [aLine('Add user model'), aLine('Add a login endpoint', { current: true }), aLine('Add middleware')]
  const few = (maxTokens: number) => contextText(lines, { ...WHOLE, path: ['Auth'], maxTokens }).markdown
  expect(few(30)).toBe(
    '## Current Tasks\n- [ ] Add a login endpoint (pending)  <-- current\n\n(2 tasks are left out; gza tree shows all.)\n',
  )
  expect(few(18)).toBe('## Current Tasks\n- [ ] Add a login endpoint (pending)  <-- current\n')
  const pair = [aLine('A', { current: true }), aLine('B')]
  const cut = contextText(pair, { ...WHOLE, maxTokens: 17, isCut: true })
  expect(cut).toMatchObject({ markdown: '## Current Tasks\n- [ ] A (pending)  <-- current\n', omitted: 1 })
  expect(contextText(pair, { ...WHOLE, maxTokens: 17 }).omitted).toBe(0)
  expect(few(10)).toBe('- [ ] Add a log… (pending)  <-- current\n')
  expect(few(1)).toBe('- [ ')
  expect(contextText([], { ...WHOLE, maxTokens: 2 }).markdown).toBe('No open ')
})

test('a title of several lines cannot pass for more than one task', () => {
  const { markdown } = contextText([aLine('One\n- [x] Two\n## Else', { current: true })], WHOLE)
  expect(markdown).toBe('## Current Tasks\n- [ ] One - [x] Two ## Else (pending)  <-- current\n')
})
