import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { sentenceText } from '../sentence.ts'
import { type ContextGuide, type ContextLine, contextText } from './context-text.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { BY_NUMBER, nextSteps } from './next-steps.ts'

function aLine(title: string, fields: Partial<ContextLine> = {}): ContextLine {
  const plain = { status: 'pending', plan_file: null, current: false, step: null } as const
  const nobody = { assigned_agent: null, agent_status: null }
  return { number: 1, id: title, parent: null, title, parts: null, ...plain, ...nobody, ...fields }
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
      expect(estimateTokens(markdown)).toBeLessThanOrEqual(maxTokens)
      expect(shown.some(({ current }) => current)).toBe(true)
      expect(shown.length + omitted).toBe(lines.length)
      if (maxTokens > 5) expect(markdown.match(/^- \[/gm)).toHaveLength(shown.length)
      if (shown.length > 1) expect(markdown.includes('left out')).toBe(omitted > 0 || more.isCut)
    }),
  )
})

test('if there is little room, only the current task is left', () => {
  const lines = [aLine('Add user model'), aLine('Add a login endpoint', { current: true }), aLine('Add middleware')]
  const few = (maxTokens: number) => contextText(lines, { ...WHOLE, path: ['Auth'], maxTokens }).markdown
  expect(few(40)).toBe(
    '## Current Tasks\n- [ ] Add a login endpoint (pending)  <-- current\n\n(2 tasks are left out; gza tree shows all.)\n',
  )
  expect(few(30)).toBe('## Current Tasks\n- [ ] Add a login endpoint (pending)  <-- current\n')
  const pair = [aLine('A', { current: true }), aLine('B')]
  const cut = contextText(pair, { ...WHOLE, maxTokens: 30, isCut: true })
  expect(cut).toMatchObject({ markdown: '## Current Tasks\n- [ ] A (pending)  <-- current\n', omitted: 1 })
  expect(few(18)).toBe('- [ ] Add… (pending)  <-- current\n')
  expect(few(2)).toBe('- [ ')
  expect(contextText([], { ...WHOLE, maxTokens: 2 }).markdown).toBe('No open ')
})

const GUIDE: ContextGuide = {
  next: nextSteps({ state: 'ready', task: { number: 2, id: 'task-2222', title: 'Add a login endpoint' } }, BY_NUMBER),
  names: BY_NUMBER,
  say: sentenceText,
}

test('what to do next, and the numbers of the tasks, follow the list; with little room one command is left', () => {
  const lines = [aLine('Add user model', { number: 1 }), aLine('Add a login endpoint', { number: 2, current: true })]
  const text = (maxTokens: number) => contextText(lines, { ...WHOLE, maxTokens, path: ['Auth'], guide: GUIDE }).markdown
  expect(text(400)).toBe(`## Current Tasks
- [ ] Add user model (pending)
- [ ] Add a login endpoint (pending)  <-- current

In this order: #1, #2

Part of: Auth

## Next
Take task #2 (task-2222): Add a login endpoint. It can start now.
- \`gza claim 2\` takes it; then do it and commit
- \`gza note 2 "…"\` writes down what the next agent must know
- \`gza done 2\` closes it
- \`gza next\` lists the tasks that can start now
`)
  expect(text(60)).toBe(`## Current Tasks
- [ ] Add user model (pending)
- [ ] Add a login endpoint (pending)  <-- current

Next: \`gza claim 2\`
`)
})

test('it has at most 400 tokens, whatever the titles are', () => {
  const titles = [
    ...[
      'Add a login endpoint',
      'Schnittstellenbeschreibung überarbeiten',
      'Написать разбор выражений',
      '编写解析器并检查所有的边界情况',
    ],
    ...[
      'パーサーを書いてテストする',
      '구문 분석기를 작성하고 테스트하기',
      'اكتب المحلل اللغوي واختبره',
      '🚀🎉 ship it ✅',
      'X'.repeat(180),
    ],
    ...['fix(api): 9af3bc91 breaks useEffect(() => { setState({}) })', 'READ_CONFIG_FROM_ENVIRONMENT=1 FAILS'],
  ]
  for (const title of titles) {
    const lines = Array.from({ length: 50 }, (_, at) =>
      aLine(`${title} ${at}`, { number: at + 1, current: at === 20, assigned_agent: 'claude-code' }),
    )
    const { markdown, shown } = contextText(lines, { ...WHOLE, maxTokens: 400, path: [title], guide: GUIDE })
    expect(countTokens(markdown)).toBeLessThanOrEqual(400)
    expect(markdown).toContain('gza claim 2')
    expect(shown.length).toBeGreaterThan(1)
  }
})

test('a title of several lines cannot pass for more than one task', () => {
  const { markdown } = contextText([aLine('One\n- [x] Two\n## Else', { current: true })], WHOLE)
  expect(markdown).toBe('## Current Tasks\n- [ ] One - [x] Two ## Else (pending)  <-- current\n')
})
