import type { Review } from '../../api/types.ts'
import { Link } from '../../parts/link.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Ago } from '../../parts/time.tsx'
import { pathTo } from '../../route.ts'
import { type SentComment, SentLineComment } from './line-comment.tsx'

const WORDS: Record<string, [words: string, status: string]> = {
  APPROVED: ['approved', 'completed'],
  CHANGES_REQUESTED: ['requested changes', 'failed'],
  NEEDS_DISCUSSION: ['asks for a discussion', 'blocked'],
}

interface Props {
  repository: string
  reviews: readonly Review[]
  commit: string
  /** Comments on files that the diff no longer has. */
  elsewhere: readonly SentComment[]
}

/** What people and agents have said about the work, the newest first. */
export function GivenReviews({ repository, reviews, commit, elsewhere }: Props) {
  if (reviews.length === 0) return null
  return (
    <section class="given-reviews" aria-label="Reviews">
      <ul>
        {reviews.toReversed().map((review) => (
          <li key={`${review.at} ${review.number} ${review.name}`}>
            <Given {...{ repository, review, commit }} />
          </li>
        ))}
      </ul>
      {elsewhere.map((each) => (
        <div key={`${each.review.name} ${each.comment.file} ${each.comment.line}`} class="lost-comments">
          <code>{each.comment.file}</code>
          <SentLineComment {...each} commit={commit} isLost />
        </div>
      ))}
    </section>
  )
}

function Given({ repository, review, commit }: { repository: string; review: Review; commit: string }) {
  const { by, at, head, verdict, summary, comments, number, is_person } = review
  const [words, status] = WORDS[verdict] ?? [verdict, '']
  return (
    <details class="given" open={head === commit && is_person}>
      <summary class="given-head">
        <strong>{by}</strong> <span class={`status-${status}`}>{words}</span>
        <span class="note">
          {`at ${head.slice(0, 10)}`}
          {comments.length > 0 && `, ${comments.length === 1 ? '1 comment' : `${comments.length} comments`}`}
          {', '}
          <Ago at={at} />
        </span>
        {head !== commit && <span class="badge status-blocked">older commit</span>}
      </summary>
      {summary === '' ? <p class="note">No summary.</p> : <Markdown text={summary} />}
      <Link to={pathTo(repository, 'task', number)} class="note">{`The whole text is with #${number}`}</Link>
    </details>
  )
}
