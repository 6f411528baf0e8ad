import type { Review, TaskDiff, TaskPage } from '../../api/types.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { describeAction } from '../task/action-words.ts'
import type { ReviewDraft } from './review-draft.ts'

interface Props {
  repository: string
  page: TaskPage
  diff: TaskDiff
  review: ReviewDraft
  reviews: readonly Review[]
}

/** The person's own review of the commit that is shown. */
export function ReviewPanel({ repository, page, diff, review, reviews }: Props) {
  const { summary, comments } = review.draft.value
  const commit = diff.to
  const [short, ref] = [commit.slice(0, 10), String(page.task.number)]
  const expected = { ref, version: page.version }
  const sent = comments.map(({ file, side, line, end_line, text }) => ({ file, side, line, end_line, text }))
  const input = (verdict: string) => ({ ref, commit, verdict, summary, comments: sent })
  const count = comments.length === 1 ? '1 comment' : `${comments.length} comments`
  // What is shown is what would land, or it is not offered here.
  const lands = page.queued?.head === commit && page.actions.includes('land') ? describeAction('land', page.task) : null
  const common = { repository, action: 'review', expected, onDone: review.clear }
  return (
    <section class="review-panel" id="your-review" aria-label="Your review">
      <h2>{`Your review of ${short}`}</h2>
      <label>
        Summary
        <textarea rows={3} value={summary} onInput={(event) => review.change({ summary: event.currentTarget.value })} />
      </label>
      <p class="note">
        {comments.length === 0 ? 'No comments on lines yet: choose a line number to write one.' : `${count} as drafts.`}
      </p>
      <div class="buttons">
        <ConfirmButton
          {...common}
          label="Approve"
          input={input('APPROVED')}
          effect={`Approves the commit ${short}, with ${count}. It counts for this commit only, and lets it land.`}
        />
        <ConfirmButton
          {...common}
          label="Request changes"
          input={input('CHANGES_REQUESTED')}
          effect={`The commit ${short} does not land by itself. The next improvement answers your summary and ${count}.`}
        />
        {lands && (
          <ConfirmButton
            {...{ repository, expected, label: lands.label, action: lands.name, effect: lands.effect }}
            input={lands.input}
            seen={{ seen: [{ ref, version: page.queued?.version ?? '' }] }}
            command={lands.command}
          />
        )}
        {wantsImprovement(reviews, commit) && (
          <ConfirmButton
            {...{ repository, expected, label: 'Start the improvement', action: 'start' }}
            input={{ command: 'improve', refs: [ref] }}
            effect={`An agent works on the branch of #${ref} with the reviews of ${short} in its prompt. It costs what a run costs.`}
            command={`gza improve ${ref}`}
          />
        )}
      </div>
    </section>
  )
}

/** The last review of the commit asks for changes. */
function wantsImprovement(reviews: readonly Review[], commit: string): boolean {
  return reviews.findLast(({ head }) => head === commit)?.verdict === 'CHANGES_REQUESTED'
}
