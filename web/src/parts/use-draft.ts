import { useRef, useState } from 'preact/hooks'

interface Draft {
  text: string
  change(text: string): void
  /** It was sent. What was typed meanwhile stays. */
  sent(text: string): void
}

/** A text that survives a reload until it is sent. */
export function useDraft(name: string): Draft {
  const key = `draft:${name}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  const latest = useRef(text)
  const change = (changed: string): void => {
    latest.current = changed
    if (changed === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, changed)
    setText(changed)
  }
  const sent = (old: string): void => {
    if (latest.current === old) change('')
  }
  return { text, change, sent }
}
