import { z } from 'zod'
import { PERSONS_VERDICTS } from '../../core/review/persons-reviews.ts'
import { reviewTask } from '../../landing/review/review-task.ts'
import { defineAction, ref } from './action.ts'

const line = z.int().min(1).max(10_000_000)
const comment = z.strictObject({
  file: z.string().min(1).max(5000),
  side: z.enum(['old', 'new']),
  ...{ line, end_line: line },
  text: z.string().max(20_000),
})

/** A person's verdict on the commit that is shown, with comments on its lines. */
export default defineAction({
  name: 'review',
  input: {
    ref,
    commit: z.string().regex(/^[0-9a-f]{40,64}$/),
    verdict: z.enum(PERSONS_VERDICTS),
    summary: z.string().max(200_000),
    comments: z.array(comment).max(500),
  },
  act: (ws, { ref: task, ...input }) => reviewTask(ws, task, input),
})
