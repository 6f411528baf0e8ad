import { listReviews } from '../../landing/review/list-reviews.ts'
import { defineResource } from './resource.ts'

/** The reviews of a task's work, by people and by agents. */
export default defineResource({
  path: 'tasks/:ref/reviews',
  read: (ws, { ref }) => listReviews(ws, ref),
})
