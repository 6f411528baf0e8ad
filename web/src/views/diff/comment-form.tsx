import { useEffect, useRef, useState } from 'preact/hooks'
import type { Side } from './diff-rows.ts'

/** The lines that a comment is being written on. */
export interface ChosenLines {
  side: Side
  line: number
  end_line: number
}

interface Props extends ChosenLines {
  text: string
  save(text: string): void
  cancel(): void
}

export function CommentForm({ side, line, end_line, text: first, save, cancel }: Props) {
  const [text, setText] = useState(first)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const finish = (): void => {
    if (text.trim() !== '') save(text.trim())
  }
  return (
    <form
      class="comment-form"
      onSubmit={(event) => {
        event.preventDefault()
        finish()
      }}
    >
      <label>
        {`Comment on ${linesName({ side, line, end_line })}`}
        <textarea
          ref={field}
          rows={3}
          maxLength={20_000}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text === first) cancel()
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) finish()
          }}
        />
      </label>
      <div class="comment-buttons">
        <button type="submit" disabled={text.trim() === ''}>
          Keep as draft
        </button>
        <button type="button" class="quiet" onClick={cancel}>
          Cancel
        </button>
        <span class="note">It is sent with your review. Shift-click another line to comment on several.</span>
      </div>
    </form>
  )
}

export function linesName({ side, line, end_line }: ChosenLines): string {
  const lines = end_line > line ? `lines ${line} to ${end_line}` : `line ${line}`
  return side === 'old' ? `${lines} before the change` : lines
}
