import type { Review } from '../../api/types.ts'
import { Markdown } from '../../parts/markdown.tsx'
import { Ago } from '../../parts/time.tsx'
import { linesName } from './comment-form.tsx'
import type { DraftComment } from './review-draft.ts'

/** A comment of an earlier review, and the commit that it was made on. */
export interface SentComment {
  review: Review
  comment: Review['comments'][number]
}

interface SentProps extends SentComment {
  /** The commit that is shown. */
  commit: string
  /** The line is no longer in the diff. */
  isLost?: boolean
}

export function SentLineComment({ review, comment, commit, isLost = false }: SentProps) {
  const isOld = review.head !== commit
  return (
    <article class={isOld ? 'line-comment old' : 'line-comment'} aria-label={`Comment by ${review.by}`}>
      <header class="facts comment-head">
        <strong class="said-by">{review.by}</strong>
        <Ago at={review.at} />
        <span>{linesName(comment)}</span>
        {isOld && <span class="badge status-blocked">{`made on the older commit ${review.head.slice(0, 10)}`}</span>}
      </header>
      {(isOld || isLost) && <pre class="quoted">{comment.quote.join('\n')}</pre>}
      <Markdown text={comment.text} />
    </article>
  )
}

interface DraftProps {
  comment: DraftComment
  edit(): void
  remove(): void
}

export function DraftLineComment({ comment, edit, remove }: DraftProps) {
  return (
    <article class="line-comment draft" aria-label={`Draft on ${linesName(comment)}`}>
      <header class="facts comment-head">
        <span class="badge">draft</span>
        <span>{linesName(comment)}</span>
        <button type="button" class="quiet" onClick={edit}>
          Edit
        </button>
        <button type="button" class="quiet" onClick={remove}>
          Delete
        </button>
      </header>
      <Markdown text={comment.text} />
    </article>
  )
}
