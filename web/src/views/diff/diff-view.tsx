import { usePreference } from '../../api/preferences.ts'
import { useResource, whenRead } from '../../api/resource.ts'
import type { Review, TaskDiff, TaskPage } from '../../api/types.ts'
import { useKeys } from '../../parts/keys.ts'
import { Empty, Shown } from '../../parts/states.tsx'
import { TaskLink } from '../../parts/task-link.tsx'
import { isOf } from './file-comments.tsx'
import { FileList } from './file-list.tsx'
import { FilePanel } from './file-panel.tsx'
import { GivenReviews } from './given-reviews.tsx'
import type { SentComment } from './line-comment.tsx'
import { focusAmong } from './line-keys.ts'
import { OlderDrafts } from './older-drafts.tsx'
import { useReviewDraft } from './review-draft.ts'
import { ReviewPanel } from './review-panel.tsx'

interface Props {
  repository: string
  readOnly: boolean
  taskRef: string
}

export function DiffView({ repository, readOnly, taskRef }: Props) {
  const path = `tasks/${encodeURIComponent(taskRef)}`
  const read = useResource<TaskDiff>(repository, `${path}/diff`)
  const task = useResource<TaskPage>(repository, path).value
  const given = useResource<Review[]>(repository, `${path}/reviews`).value
  const page = task.value
  const reviews = given.value ?? []
  const shown = whenRead(read.value, task, given)
  return (
    <section class="diff">
      <h1>
        {page === null || shown.isReading ? `#${taskRef}` : <TaskLink repository={repository} task={page.task} />}
      </h1>
      <Shown read={shown} empty={({ files }) => (files.length === 0 ? <Empty title="It changes nothing" /> : null)}>
        {(diff) => <Work key={diff.to} {...{ repository, readOnly, page, diff, reviews }} />}
      </Shown>
    </section>
  )
}

interface WorkProps {
  repository: string
  readOnly: boolean
  page: TaskPage | null
  diff: TaskDiff
  reviews: readonly Review[]
}

const LAYOUTS = ['unified', 'side-by-side'] as const
const anchorOf = (at: number): string => `file-${at + 1}`

function Work({ repository, readOnly, page, diff, reviews }: WorkProps) {
  const [layout, setLayout] = usePreference('diff', LAYOUTS)
  const review = useReviewDraft(repository, diff.id, diff.to)
  const isJudged = !readOnly && page !== null && !diff.landed && page.task.status === 'completed'
  const isSplit = layout === 'side-by-side'
  const turn = (): void => setLayout(isSplit ? 'unified' : 'side-by-side')
  useKeys('Diff', [
    { keys: 'n', words: 'Next file', act: () => focusAmong('#view .file-head', 1) },
    { keys: 'p', words: 'Previous file', act: () => focusAmong('#view .file-head', -1) },
    { keys: ']', words: 'Next change', act: () => focusAmong('#view [data-hunk]', 1) },
    { keys: '[', words: 'Previous change', act: () => focusAmong('#view [data-hunk]', -1) },
    { keys: 's', words: 'Side by side, or unified', act: turn },
  ])
  const sent: SentComment[] = reviews.flatMap((each) => each.comments.map((comment) => ({ review: each, comment })))
  const elsewhere = sent.filter(({ comment }) => !diff.files.some((file) => isOf(file, comment)))
  const drafts = review.draft.value.comments.length
  return (
    <>
      <p class="facts diff-facts">
        <code>{`${diff.from.slice(0, 10)} → ${diff.to.slice(0, 10)}`}</code>
        <Sums diff={diff} />
        {diff.landed && <span class="badge status-completed">landed</span>}
        <button type="button" class="quiet" aria-pressed={isSplit} onClick={turn}>
          Side by side
        </button>
        {isJudged && (
          <a class="jump" href="#your-review">
            {drafts === 0 ? 'Review' : `Review (${drafts})`}
          </a>
        )}
      </p>
      <GivenReviews {...{ repository, reviews, elsewhere }} commit={diff.to} />
      {isJudged && <OlderDrafts {...{ repository, diff, review }} />}
      <div class="work">
        <FileList files={diff.files} anchorOf={anchorOf} />
        <div class="files">
          {diff.files.map((file, at) => (
            <FilePanel
              key={file.path}
              {...{ repository, diff, file, isSplit, anchor: anchorOf(at) }}
              sent={sent.filter(({ comment }) => isOf(file, comment))}
              review={isJudged ? review : null}
            />
          ))}
          {isJudged && page !== null && <ReviewPanel {...{ repository, page, diff, review, reviews }} />}
        </div>
      </div>
    </>
  )
}

function Sums({ diff: { files } }: { diff: TaskDiff }) {
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + (file[of] ?? 0), 0)
  const outside = files.filter((file) => file.outside).length
  return (
    <>
      <span>{files.length === 1 ? '1 file' : `${files.length} files`}</span>
      <span class="status-completed">+{sum('added')}</span>
      <span class="status-failed">−{sum('removed')}</span>
      {outside > 0 && <span class="status-blocked">{`${outside} outside of its list`}</span>}
    </>
  )
}
