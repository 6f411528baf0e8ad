import { useEffect, useRef, useState } from 'preact/hooks'
import { shellWord } from '../../../../src/core/text/shell-word.ts'
import type { Refused } from '../../api/request.ts'
import type { FormChoices } from '../../api/types.ts'
import { go, pathWith } from '../../route.ts'
import { FilterHelp } from './filter-help.tsx'

interface Props {
  filter: string
  mistake: Refused | null
  /** What there is to know about its result. */
  remark: string
  views: FormChoices['views']
}

/** A filter takes effect at Enter, or when the person pauses. */
const PAUSE_MS = 350

/** The filter is in the address: what is typed in one go is one step of the back button. */
export function FilterLine({ filter, mistake, remark, views }: Props) {
  const [text, setText] = useState(filter)
  const isTyping = useRef(false)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const applied = useRef(filter)
  useEffect(() => {
    // An effect runs a moment after the line is shown: what a person has typed by then stays.
    if (applied.current === filter) return
    applied.current = filter
    if (!isTyping.current) setText(filter)
  }, [filter])
  useEffect(() => () => clearTimeout(pause.current), [])
  const apply = (line: string): void => {
    clearTimeout(pause.current)
    if (line === filter) return
    go(pathWith({ filter: line }), { replace: isTyping.current, keepFocus: true })
    isTyping.current = true
  }
  const end = (): void => {
    apply(text.trim())
    isTyping.current = false
  }
  const type = (line: string): void => {
    setText(line)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => apply(line.trim()), PAUSE_MS)
  }
  const choose = (name: string): void => {
    const line = name === '' ? '' : `--view ${shellWord(name)}`
    isTyping.current = false
    setText(line)
    apply(line)
    isTyping.current = false
  }
  return (
    <search class="filter">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          end()
        }}
      >
        <label class="hidden" for="board-filter">
          Filter
        </label>
        <input
          id="board-filter"
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="Filter: parser --agent codex --priority high"
          value={text}
          aria-invalid={mistake !== null}
          aria-describedby={mistake === null ? undefined : 'filter-mistake'}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={end}
        />
        <FilterHelp />
        {views.length > 0 && (
          <select
            aria-label="Saved view"
            value={views.find(({ name }) => filter === `--view ${shellWord(name)}`)?.name ?? ''}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            <option value="">Saved views</option>
            {views.map(({ name, line }) => (
              <option key={name} value={name} title={line}>
                {name}
              </option>
            ))}
          </select>
        )}
      </form>
      {mistake !== null && (
        <p id="filter-mistake" class="remark" role="alert">
          <strong>{mistake.message}.</strong> {mistake.hint}
        </p>
      )}
      {mistake === null && remark !== '' && (
        <p class="remark" role="status">
          {remark}
        </p>
      )}
    </search>
  )
}
