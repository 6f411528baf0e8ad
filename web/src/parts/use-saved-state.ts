import { useState } from 'preact/hooks'

/** A value that survives a reload of this tab until it is dropped. `initial` may depend on what is shown. */
export function useSavedState<T>(
  name: string,
  initial: () => T,
): { value: T; isSaved: boolean; save: (value: T) => void; drop: () => void } {
  const key = `draft:${name}`
  const [saved, setSaved] = useState<T | null>(() => parsed(sessionStorage.getItem(key)))
  return {
    value: saved ?? initial(),
    isSaved: saved !== null,
    save(value) {
      sessionStorage.setItem(key, JSON.stringify(value))
      setSaved(() => value)
    },
    drop() {
      sessionStorage.removeItem(key)
      setSaved(null)
    },
  }
}

function parsed<T>(text: string | null): T | null {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
