import { useKeys } from '../parts/keys.ts'
import { go, pathTo, type View } from '../route.ts'
import { isHelpOpen } from './help.tsx'

/**
 * The keys that every view has. `j` and `k` go through the elements with `data-row`: each is a link or a button, has one
 * in it, or can have the focus itself. `/` goes to the first search field of the view.
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

const FOCUSABLE = 'a[href], button:not(:disabled), summary, input:not(:disabled)'

function move(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>('#view [data-row]')]
  const rows = all.filter((row) => row.checkVisibility() && focusableOf(row) !== null)
  const now = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[now === -1 ? (by === 1 ? 0 : rows.length - 1) : now + by]
  if (next !== undefined) focus(focusableOf(next))
}

/** A row of a table may have nothing to press: then it gets the focus itself. */
function focusableOf(row: HTMLElement): Element | null {
  if (row.matches(FOCUSABLE)) return row
  return row.querySelector(FOCUSABLE) ?? (row.matches('[tabindex]') ? row : null)
}

function focus(element: Element | null): void {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return
  element.focus()
  element.scrollIntoView({ block: 'nearest' })
}
