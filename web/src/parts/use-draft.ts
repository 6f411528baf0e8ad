import { useState } from 'preact/hooks'

/** A text that survives a reload until it is sent. */
export function useDraft(name: string): [text: string, change: (text: string) => void] {
  const key = `draft:${name}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  return [
    text,
    (changed) => {
      if (changed === '') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, changed)
      setText(changed)
    },
  ]
}
