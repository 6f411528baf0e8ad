import { expect, test } from 'bun:test'
import { GZA, textOf } from '../../../../test/cli/displays.ts'
import { BUILT_IN } from '../../../core/config/built-in.ts'
import { scoreTask } from '../../../core/size/complexity.ts'
import { renderScores } from './score.ts'

test('a score is a table of its components, with a reason for each point', () => {
  const task = { title: 'Cache orders', files_to_modify: ['src/models/order.ts', 'src/views/order.ts'] }
  const score = scoreTask(task, { limits: { ...BUILT_IN.task_size_limits, complexity_threshold: 3 } })
  const text = textOf(
    renderScores(
      [{ number: 1, id: 'task-a3f8', key: 'T1', title: 'Cache orders', score, warnings: ['a warning'] }],
      GZA,
    ),
  )
  expect(text).toBe(
    `T1: Cache orders
  component                points  of  reasons
  file_scope                  1.0   5  +1.0 2 files
  cross_file_deps             1.0   2  +0.5 2 folders: src/models, src/views
                                       +0.5 2 layers: data, presentation
  semantic_complexity         0.5   3  +0.5 performance: cache
  requirement_uncertainty     1.0   2  +1.0 no acceptance criteria
  token_penalty               0.0   1
  total                       3.5  13  LOW: Safe for autonomous execution
  a warning
  above 3.0, the threshold for a split
`,
  )
})
