import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { DiffedFile, TaskDiff } from '../../api/types.ts'
import { Loading, Problem } from '../../parts/states.tsx'
import { visibleText } from '../../parts/visible-text.ts'
import { DiffTable } from './diff-table.tsx'
import { FileComments } from './file-comments.tsx'
import { FileFacts } from './file-facts.tsx'
import type { SentComment } from './line-comment.tsx'
import { moveAmongLines } from './line-keys.ts'
import type { DiffLine } from './parse-diff.ts'
import type { ReviewDraft } from './review-draft.ts'
import { useFileLines } from './use-file-lines.ts'

interface Props {
  repository: string
  diff: TaskDiff
  file: DiffedFile
  anchor: string
  isSplit: boolean
  /** Comments of earlier reviews on this file. */
  sent: readonly SentComment[]
  /** Null: nothing can be written here. */
  review: ReviewDraft | null
}

export function FilePanel({ repository, diff, file, anchor, isSplit, sent, review }: Props) {
  const [isOpen, setOpen] = useState(file.text !== null)
  const { lines, isCut, error } = useFileLines({ repository, diff, file, isOpen })
  return (
    <details class="file" id={anchor} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="file-head">
        <FileFacts file={file} />
        {sent.length > 0 && <span class="badge">{sent.length === 1 ? '1 comment' : `${sent.length} comments`}</span>}
      </summary>
      {error && <Problem error={error} />}
      {isOpen && lines === null && error === null && <Loading />}
      {isOpen && lines !== null && <Lines {...{ diff, file, isSplit, sent, review, lines }} />}
      {isOpen && isCut && (
        <p class="folded note">{`Only its beginning is shown. All of it: gza diff ${diff.number}`}</p>
      )}
    </details>
  )
}

/** So many are drawn at once. More follow when they are asked for. */
const FIRST_LINES = 2000

type LinesProps = Pick<Props, 'diff' | 'file' | 'isSplit' | 'sent' | 'review'> & { lines: readonly DiffLine[] }

function Lines({ diff, file, isSplit, sent, review, lines }: LinesProps) {
  const [most, setMost] = useState(FIRST_LINES)
  const shown = useMemo(() => (lines.length > most ? lines.slice(0, most) : lines), [lines, most])
  if (lines.length === 0) return <p class="folded note">{whyNoLines(file)}</p>
  const table = (below: ReadonlyMap<number, ComponentChildren>) => (
    <DiffTable lines={shown} isSplit={isSplit} canComment={review !== null} below={below} />
  )
  return (
    <FileComments {...{ diff, file, lines: shown, sent, review }}>
      {(below, choose) => (
        <section
          class="lines"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so with the keyboard too
          tabIndex={0}
          aria-label={visibleText(file.path)}
          onKeyDown={moveAmongLines}
          onClick={choose}
        >
          {table(below)}
          {lines.length > most && (
            <button type="button" class="quiet more" onClick={() => setMost(most + 5 * FIRST_LINES)}>
              {`Show more lines (${lines.length - most} are left)`}
            </button>
          )}
        </section>
      )}
    </FileComments>
  )
}

function whyNoLines({ change, added, old_mode, new_mode }: DiffedFile): string {
  if (added === null) return 'It is a binary file.'
  if (change === 'renamed') return 'It was renamed without changes.'
  if (old_mode !== new_mode && change === 'changed') return 'Only its mode has changed.'
  return 'It is empty.'
}
