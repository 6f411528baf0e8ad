import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
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
  // Not an effect after the next frame: a letter that is typed at once would be lost.
  useLayoutEffect(() => field.current?.focus(), [])
  const decide = useKeptUnsent(text, first, save)
  const finish = (): void => {
    if (text.trim() !== '') decide(() => save(text.trim()))
  }
  const giveUp = (): void => decide(cancel)
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
            if (event.key === 'Escape' && text === first) giveUp()
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) finish()
          }}
        />
      </label>
      <div class="comment-buttons">
        <button type="submit" disabled={text.trim() === ''}>
          Keep as draft
        </button>
        <button type="button" class="quiet" onClick={giveUp}>
          Cancel
        </button>
        <span class="note">It is sent with your review. Shift-click another line to comment on several.</span>
      </div>
    </form>
  )
}

/**
 * A form may go away while a person writes: the page is reloaded, or the work has a newer commit. Then the text is kept as
 * a draft of the commit that it is about, unless the person has decided about it.
 */
function useKeptUnsent(text: string, first: string, save: (text: string) => void): (act: () => void) => void {
  const latest = useRef({ text, save })
  latest.current = { text, save }
  const isDecided = useRef(false)
  useEffect(() => {
    const keep = (): void => {
      const unsent = latest.current.text.trim()
      if (!isDecided.current && unsent !== '' && unsent !== first) latest.current.save(unsent)
    }
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [first])
  return (act) => {
    isDecided.current = true
    act()
  }
}

export function linesName({ side, line, end_line }: ChosenLines): string {
  const lines = end_line > line ? `lines ${line} to ${end_line}` : `line ${line}`
  return side === 'old' ? `${lines} before the change` : lines
}
