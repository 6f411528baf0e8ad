import { printable } from '../../../core/text/printable.ts'
import type { WorkEvents } from '../../../scheduler/work-report.ts'

type At = Parameters<WorkEvents['reviewMoved']>[1]
type News = Parameters<WorkEvents['reviewMoved']>[2]

const BEGAN = { implement: 'Implementing...', review: 'Running review...', improve: 'Improving...' }

/** `[2/3] Improving...`: the review cycle, and what has just happened in it. */
export function reviewLine({ cycle, of }: At, news: News): string {
  const place = `[${cycle}/${of}]`
  switch (news.kind) {
    case 'began':
      return `${place} ${BEGAN[news.phase]}`
    case 'implemented':
      return `${place} Implementation complete`
    case 'reviewed':
      return `${place} Review: ${news.verdict}${news.summary === null ? '' : ` - ${printable(news.summary)}`}`
    case 'exhausted':
      return `Max review cycles (${of}) reached without approval`
    default:
      return news satisfies never
  }
}
