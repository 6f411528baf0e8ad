import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { DiffedFile, TaskDiff } from '../../api/types.ts'
import { visibleText } from '../../parts/visible-text.ts'
import { type ChosenLines, CommentForm } from './comment-form.tsx'
import { nameOfLine, placeOf, type Side } from './diff-rows.ts'
import { DraftLineComment, type SentComment, SentLineComment } from './line-comment.tsx'
import type { DiffLine } from './parse-diff.ts'
import type { DraftComment, ReviewDraft } from './review-draft.ts'

interface Props {
  diff: Pick<TaskDiff, 'to'>
  file: DiffedFile
  lines: readonly DiffLine[]
  sent: readonly SentComment[]
  review: ReviewDraft | null
  children(below: ReadonlyMap<number, ComponentChildren>, choose: (event: MouseEvent) => void): ComponentChildren
}

/** What is under the lines of a file: comments of earlier reviews, drafts, and the form for a new one. */
export function FileComments({ diff, file, lines, sent, review, children }: Props) {
  const [chosen, setChosen] = useState<ChosenLines | null>(null)
  const [edited, setEdited] = useState<string | null>(null)
  const below = new Map<number, ComponentChildren[]>()
  const put = (at: number, content: ComponentChildren): void => void below.set(at, [...(below.get(at) ?? []), content])
  const lost: SentComment[] = []
  for (const each of sent) {
    const at = placeOf(lines, each.comment, each.review.head === diff.to)
    if (at === null) lost.push(each)
    else put(at, <SentLineComment key={keyOf(each)} {...each} commit={diff.to} />)
  }
  const keep = (comment: ChosenLines, text: string, id?: string): void => {
    const quote = quoted(lines, comment)
    review?.save({ ...comment, file: nameOn(file, comment.side), quote, text, ...(id !== undefined && { id }) })
    setChosen(null)
    setEdited(null)
  }
  for (const comment of review?.draft.value.comments.filter((each) => isOf(file, each)) ?? []) {
    const at = placeOf(lines, comment, true)
    if (at !== null) put(at, draftBelow(comment))
  }
  if (chosen !== null && review !== null) {
    const at = placeOf(lines, { ...chosen, quote: [] }, true)
    const form = <CommentForm key="form" {...chosen} text="" save={(text) => keep(chosen, text)} cancel={cancel} />
    if (at !== null) put(at, form)
  }

  function draftBelow(comment: DraftComment) {
    const { id, side, line, end_line, text } = comment
    if (edited === id) {
      const save = (changed: string) => keep({ side, line, end_line }, changed, id)
      return <CommentForm key={id} {...{ side, line, end_line, text, save }} cancel={() => setEdited(null)} />
    }
    const remove = () => review?.remove(id)
    return <DraftLineComment key={id} comment={comment} edit={() => setEdited(id)} remove={remove} />
  }

  function cancel(): void {
    const line = chosen
    setChosen(null)
    if (line !== null) focusLine(file, line)
  }

  const choose = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('.line-number') : null
    if (target === null) return
    const [side, line] = [target.dataset.side as Side, Number(target.dataset.line)]
    const isFurther = event.shiftKey && chosen !== null && chosen.side === side
    const range = isFurther ? [Math.min(chosen.line, line), Math.max(chosen.end_line, line)] : [line, line]
    setChosen({ side, line: range[0] as number, end_line: range[1] as number })
  }
  return (
    <>
      {lost.length > 0 && (
        <div class="lost-comments">
          <p class="note">On lines that this diff no longer has:</p>
          {lost.map((each) => (
            <SentLineComment key={keyOf(each)} {...each} commit={diff.to} isLost />
          ))}
        </div>
      )}
      {children(below, choose)}
    </>
  )
}

function keyOf({ review, comment }: SentComment): string {
  return `${review.name} ${review.comments.indexOf(comment)}`
}

/** Whether a comment is about this file, under its name before or after. */
export function isOf(file: DiffedFile, { file: name, side }: { file: string; side: Side }): boolean {
  return name === nameOn(file, side)
}

function nameOn({ path, old_path }: DiffedFile, side: Side): string {
  return side === 'old' ? (old_path ?? path) : path
}

function quoted(lines: readonly DiffLine[], { side, line, end_line }: ChosenLines): string[] {
  const isChosen = (each: DiffLine) => {
    const name = nameOfLine(each)
    return name !== null && name.side === side && name.line >= line && name.line <= end_line
  }
  return lines.filter(isChosen).map(({ text }) => text.trimEnd())
}

/** Back to where the person was. */
function focusLine({ path }: DiffedFile, { side, end_line }: ChosenLines): void {
  const files = [...document.querySelectorAll<HTMLElement>('.lines')]
  const own = files.find((each) => each.getAttribute('aria-label') === visibleText(path))
  own?.querySelector<HTMLElement>(`.line-number[data-side="${side}"][data-line="${end_line}"]`)?.focus()
}
