import { expect, test } from 'bun:test'
import { GZA, textOf } from '../../../../test/cli/displays.ts'
import { aName, aView } from '../../../../test/cli/task-view.ts'
import { byNumber, renderNext, renderNextAll } from './next.ts'

const plan = aView({ number: 1, type: 'plan', content: 'Design ImageTransform system' })
const fix = aView({ number: 3, content: 'Fix stats bug' })
const implement = aView({
  number: 2,
  type: 'implement',
  content: 'Implement ImageTransform',
  blocked_by: [{ ...aName({ number: 1 }), kind: 'after' }],
})
const review = aView({
  number: 4,
  type: 'review',
  content: 'Review ImageTransform',
  blocked_by: [{ ...aName({ number: 2 }), kind: 'after' }],
})

test('next shows the runnable tasks and how many are blocked', () => {
  expect(textOf(renderNext({ ready: [plan, fix], blockedCount: 2, heldCount: 0, isStuck: false }, GZA))).toBe(
    `1. [plan] Design ImageTransform system
3. [task] Fix stats bug

(2 tasks blocked by dependencies)
`,
  )
})

test('without blocked tasks next ends with the list, and without runnable ones it has no empty line', () => {
  expect(textOf(renderNext({ ready: [fix], blockedCount: 0, heldCount: 0, isStuck: false }, GZA))).toBe(
    '3. [task] Fix stats bug\n',
  )
  expect(textOf(renderNext({ ready: [], blockedCount: 1, heldCount: 0, isStuck: true }, GZA))).toBe(
    '(1 task blocked by dependencies)\n',
  )
  expect(textOf(renderNext({ ready: [], blockedCount: 0, heldCount: 2, isStuck: true }, GZA))).toBe(
    '(2 tasks wait for a person)\n',
  )
})

test('next --all shows all pending tasks by number, with what blocks them', () => {
  expect(textOf(renderNextAll(byNumber({ ready: [plan, fix], blocked: [implement, review] }), GZA))).toBe(
    `1. [plan] Design ImageTransform system
2. [implement] Implement ImageTransform (blocked by #1)
3. [task] Fix stats bug
4. [review] Review ImageTransform (blocked by #2)
`,
  )
})
