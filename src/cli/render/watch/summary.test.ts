import { expect, test } from 'bun:test'
import { GZA, textOf } from '../../../../test/cli/displays.ts'
import { aView } from '../../../../test/cli/task-view.ts'
import { summarise } from '../../../core/task/summarise.ts'
import { renderSummary } from './summary.ts'

const tasks = Array.from({ length: 30 }, (_, at) =>
  aView({ key: `T${at + 1}`, status: at < 29 ? 'completed' : 'failed' }),
)

test('names that do not fit on the terminal are counted', () => {
  expect(textOf(renderSummary(summarise(tasks), { ...GZA, width: 60 }))).toBe(`30 tasks, 96% completed
  completed      29  T1, T2, T3, T4, T5, T6, T7 and 22 more
  failed          1  T30
`)
})

test('all is done only when all is', () => {
  const almost = Array.from({ length: 1000 }, (_, at) => aView({ status: at === 0 ? 'pending' : 'completed' }))
  expect(summarise(almost).progress).toBe('99%')
  expect(summarise(almost.slice(1)).progress).toBe('100%')
})
