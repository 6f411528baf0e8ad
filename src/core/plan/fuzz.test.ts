import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { readPlanText } from '../../planning/import/read-plan-text.ts'
import { readCriteria } from '../plan-fields/read-criteria.ts'
import { readPlan } from '../plan-markdown/markdown-plan.ts'
import { UserError } from '../user-error.ts'
import { matchCriteria } from './match-criteria.ts'

const FOLDER = join(import.meta.dir, '../../../test/planning/plans')
const PLANS = readdirSync(FOLDER)
  .filter((name) => !name.endsWith('.understood'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
const PIECES = [
  ...[
    '# ',
    '## Phase 1: ',
    '### T1: ',
    '- [ ] ',
    '- [x] T2: ',
    '1. **',
    '**Files:**',
    'Depends on: ',
    'T1-T3',
    'Priority: ',
    '```',
    '<!--',
  ],
  ...[
    '-->',
    '|',
    '\n',
    '\n\n',
    '  ',
    '\t',
    ': ',
    '`a/b.ts`',
    'Acceptance criteria:',
    'As a user I want',
    '---\na: b\n---\n',
    '\u0000',
    '\ud800',
  ],
]

const piece = fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 8 }))
const scrap = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

/** A real plan with something removed and something inserted. */
const mutated = fc
  .record({ plan: fc.constantFrom(...PLANS), at: fc.nat(3000), cut: fc.nat(200), put: scrap })
  .map(({ plan, at, cut, put }) => plan.slice(0, at) + put + plan.slice(at + cut))

test('for any text, the markdown reader throws nothing and names only existing lines', () => {
  fc.assert(
    fc.property(fc.oneof(scrap, mutated), (text) => {
      const plan = readPlan(text)
      matchCriteria(plan.tasks, readCriteria(text))
      const last = text.split(/\r\n|\n|\r/).length
      for (const { line } of [...plan.tasks, ...plan.problems, ...plan.warnings, ...plan.milestones]) {
        expect(line).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(last)
      }
      const keys = new Set(plan.tasks.map(({ key }) => key))
      if (plan.problems.length > 0) return
      expect(keys.size).toBe(plan.tasks.length)
      for (const { dependencies } of plan.tasks) for (const { key } of dependencies) expect(keys.has(key)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

/** What a phase may hold: `%` is a number, `W` a word that is used nowhere else. */
const SIGNS = [
  ...['### T%: W', '### Task %: W', '- [ ] W', '- [ ] T%: W', '- [x] %. W', '%. W', '%. **W**', '- W', '- T%: W'],
  ...['**Step %: W**', '**T%. W** [P1]', 'Then this.', 'More:', '', '', '## Phase %: W'],
]

test('nothing in a phase that looks like a task is lost: it is a task, or text of one, or reported in a warning', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...SIGNS), { minLength: 1, maxLength: 12 }), (signs) => {
      const lines = signs.map((sign, at) => sign.replace('%', String(at + 1)).replace('W', `Word${at}x`))
      const plan = readPlan(['# Plan', '## Phase 99: All', ...lines].join('\n'))
      const understood = JSON.stringify(plan)
      const lists = plan.warnings.filter(({ why }) => why.includes('more next to it'))
      const lost = lines.filter((_, at) => {
        const isReported = understood.includes(`Word${at}x`) || lists.some(({ line }) => line <= at + 3)
        return signs[at]?.includes('W') && !isReported
      })
      expect(lost).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('for any JSON or YAML, only user errors are thrown', async () => {
  const names = fc.constantFrom('plan.json', 'plan.yaml', 'plan.md', 'plan')
  const keys = fc.constantFrom(
    'tasks',
    'milestones',
    'id',
    'title',
    'dependencies',
    'files',
    'priority',
    'status',
    'subtasks',
    'x',
  )
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), tie('list'), tie('map')),
    list: fc.array(tie('any'), { maxLength: 4 }),
    map: fc.dictionary(keys, tie('any'), { maxKeys: 6 }),
  })).any
  const text = fc.oneof(
    scrap,
    mutated,
    value.map((json) => JSON.stringify(json)),
  )
  await fc.assert(
    fc.asyncProperty(names, text, async (name, text) => {
      const error = await readPlanText(name, text).then(
        () => null,
        (thrown) => thrown,
      )
      if (error !== null && !(error instanceof UserError)) throw error
    }),
    { numRuns: 300 },
  )
})
