import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** One key of the keyboard, or several after each other with spaces between them (`g b`), and what it does. */
export interface Key {
  keys: string
  /** What it does, for the list that `?` opens. */
  words: string
  act(): void
}

interface Scope {
  /** The heading in the list: the name of a view, or `Everywhere`. */
  name: string
  current(): readonly Key[]
}

/** What can be typed now. The newest scope comes first, so that a view can use a key in its own way. */
export const scopes = signal<readonly Scope[]>([])

/** Gives these keys their meaning while the component is shown. They do nothing while a person types in a field. */
export function useKeys(name: string, keys: readonly Key[]): void {
  const latest = useRef(keys)
  latest.current = keys
  // Not an effect after the next frame: a key that is typed at once would be lost.
  useLayoutEffect(() => {
    const scope = { name, current: () => latest.current }
    scopes.value = [scope, ...scopes.peek()]
    return () => {
      scopes.value = scopes.peek().filter((each) => each !== scope)
    }
  }, [name])
}

/** How long the second key of two may take. */
const TOGETHER_MS = 1500

let typed = ''
let typedAt = 0

document.addEventListener('keydown', (event) => {
  if (isForSomethingElse(event)) return
  const before = event.timeStamp - typedAt < TOGETHER_MS ? typed : ''
  typed = ''
  const known = scopes.peek().flatMap((scope) => scope.current())
  for (const keys of before === '' ? [event.key] : [`${before} ${event.key}`, event.key]) {
    const found = known.find((each) => each.keys === keys)
    if (found !== undefined) {
      event.preventDefault()
      return found.act()
    }
    if (known.some((each) => each.keys.startsWith(`${keys} `))) {
      typed = keys
      typedAt = event.timeStamp
      return
    }
  }
})

/** Keys of the browser and of the system, keys of a field that a person types in, and those of an open dialog. */
function isForSomethingElse(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true
  if (document.querySelector('dialog[open]') !== null) return true
  const at = event.target
  if (!(at instanceof HTMLElement)) return false
  if (at.isContentEditable || at instanceof HTMLTextAreaElement || at instanceof HTMLSelectElement) return true
  return at instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(at.type)
}
