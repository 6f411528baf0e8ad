import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { get } from '../../api/request.ts'
import type { FoundTask } from '../../api/types.ts'
import { visibleText } from '../../parts/visible-text.ts'
import type { Chosen } from './task-values.ts'

interface Props {
  repository: string
  label: string
  chosen: readonly Chosen[]
  choose: (chosen: Chosen[]) => void
  /** Not offered: a task cannot wait for itself. */
  except?: number
}

/** Chooses tasks by number, key or words of their title. Arrow keys move, Enter takes, Backspace removes the last one. */
export function TaskPicker({ repository, label, chosen, choose, except }: Props) {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const { found, isCurrent } = useFound(repository, text, isOpen)
  const [isTaking, setTaking] = useState(false)
  const offered = found.filter(({ number }) => number !== except && !chosen.some((each) => each.number === number))
  const marked = Math.min(at, offered.length - 1)
  const take = (task: FoundTask | undefined): void => {
    if (task === undefined) return
    choose([...chosen, { number: task.number, title: task.title }])
    setText('')
    setAt(0)
  }
  useLayoutEffect(() => {
    if (!isTaking || !isCurrent) return
    setTaking(false)
    take(offered[marked])
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      setAt(Math.max(0, Math.min(offered.length - 1, marked + (event.key === 'ArrowDown' && isOpen ? 1 : -1))))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // What is offered may still be for the letters before. It is taken when the right ones are there.
      if (isOpen) setTaking(true)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    } else if (event.key === 'Backspace' && text === '') choose(chosen.slice(0, -1))
  }
  return (
    <div class="picker">
      <label for={id}>{label}</label>
      <div class="chosen">
        {chosen.map((task) => (
          <span class="chip" key={task.number}>
            #{task.number} {visibleText(task.title)}
            <button
              type="button"
              class="quiet"
              aria-label={`Remove #${task.number}`}
              onClick={() => choose(chosen.filter((each) => each !== task))}
            >
              ×
            </button>
          </span>
        ))}
        <input
          id={id}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen && offered.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen && marked >= 0 ? `${id}-${marked}` : undefined}
          autocomplete="off"
          placeholder="Number, key or words"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
            setOpen(true)
            setTaking(false)
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen || offered.length === 0} class="offered">
        {offered.map((task, index) => (
          <div
            key={task.number}
            tabIndex={-1}
            id={`${id}-${index}`}
            role="option"
            class="offer"
            aria-selected={index === marked}
            // The field keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault()
              take(task)
            }}
          >
            <span class="number">#{task.number}</span> {visibleText(task.title)} <span class="note">{task.status}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

interface Found {
  found: FoundTask[]
  /** It is the answer to what is typed now. */
  isCurrent: boolean
}

/** The answer to the last text wins. */
function useFound(repository: string, text: string, isWanted: boolean): Found {
  const [{ found, of }, setFound] = useState<{ found: FoundTask[]; of: string | null }>({ found: [], of: null })
  const asked = useRef(0)
  useEffect(() => {
    if (!isWanted) return
    const turn = ++asked.current
    get<{ value: FoundTask[] }>(`r/${repository}/find?text=${encodeURIComponent(text)}`).then(
      ({ value }) => {
        if (turn === asked.current) setFound({ found: value, of: text })
      },
      () => setFound({ found: [], of: text }),
    )
  }, [repository, text, isWanted])
  return { found, isCurrent: of === text }
}
