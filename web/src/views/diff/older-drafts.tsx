import { useState } from 'preact/hooks'
import type { TaskDiff } from '../../api/types.ts'
import { forgetDraft, olderDrafts, type ReviewDraft } from './review-draft.ts'

interface Props {
  repository: string
  diff: TaskDiff
  review: ReviewDraft
}

/** What was written about an earlier commit and not sent: it can be taken over as text, or thrown away. */
export function OlderDrafts({ repository, diff, review }: Props) {
  const [, redraw] = useState(0)
  const older = olderDrafts(repository, diff.id, diff.to)
  if (older.length === 0) return null
  const forget = (commit: string): void => {
    forgetDraft(repository, diff.id, commit)
    redraw((count) => count + 1)
  }
  const takeOver = (commit: string): void => {
    const { summary, comments } = older.find((each) => each.commit === commit)?.draft ?? { summary: '', comments: [] }
    const points = comments.map(({ file, line, text }) => `${file}:${line} (at ${commit.slice(0, 10)}): ${text}`)
    review.change({ summary: [review.draft.value.summary, summary, ...points].filter(Boolean).join('\n\n') })
    forget(commit)
  }
  return (
    <>
      {older.map(({ commit, draft }) => (
        <div key={commit} class="older-draft" role="status">
          <p>
            {`You have an unsent review of the older commit ${commit.slice(0, 10)}, with ${draft.comments.length} comments.`}
          </p>
          <button type="button" class="quiet" onClick={() => takeOver(commit)}>
            Take it into the summary
          </button>
          <button type="button" class="quiet" onClick={() => forget(commit)}>
            Throw it away
          </button>
        </div>
      ))}
    </>
  )
}
