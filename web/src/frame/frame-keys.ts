import { useKeys } from '../parts/keys.ts'
import { go, pathTo, type View } from '../route.ts'
import { isHelpOpen } from './help.tsx'

/**
 * The keys that every view has. `j` and `k` go through the elements with `data-row`: each is a link or a button, or has
 * one in it. `/` goes to the first search field of the view.
 */
export function useFrameKeys(repository: string, tabs: readonly (readonly [View, string])[]): void {
  useKeys('Everywhere', [
    { keys: '?', words: 'Show the keys', act: () => (isHelpOpen.value = true) },
    ...tabs.map(([view, title], at) => ({
      keys: String(at + 1),
      words: title,
      act: () => go(pathTo(repository, view)),
    })),
    { keys: '/', words: 'Search or filter', act: () => focus(document.querySelector('#view input[type="search"]')) },
    { keys: 'j', words: 'Next in the list', act: () => move(1) },
    { keys: 'k', words: 'Previous in the list', act: () => move(-1) },
  ])
}

const FOCUSABLE = 'a[href], button:not(:disabled), summary, input, [tabindex]'

function move(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('#view [data-row]')].filter((row) => row.checkVisibility())
  const now = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[now === -1 ? (by === 1 ? 0 : rows.length - 1) : now + by]
  if (next !== undefined) focus(next.matches(FOCUSABLE) ? next : next.querySelector(FOCUSABLE))
}

function focus(element: Element | null): void {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return
  element.focus()
  element.scrollIntoView({ block: 'nearest' })
}
