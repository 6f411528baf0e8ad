import { computed, signal } from '@preact/signals'

/** Every view has an address: /REPOSITORY/VIEW[/REF][?query]. */
export const VIEWS = ['inbox', 'board', 'live', 'graph', 'landing', 'numbers', 'agents', 'task', 'diff', 'add'] as const
export type View = (typeof VIEWS)[number]

export interface Route {
  repository: string | null
  view: View | null
  ref: string | null
  query: URLSearchParams
}

const address = signal(location.pathname + location.search)

export const route = computed<Route>(() => {
  const { pathname, searchParams } = new URL(address.value, location.origin)
  const [repository = '', view = '', ref] = pathname.slice(1).split('/').map(decoded)
  const known = VIEWS.find((each) => each === view) ?? null
  return { repository: repository === '' ? null : repository, view: known, ref: ref ?? null, query: searchParams }
})

/** What nobody has encoded stays as it is: there is nothing at such an address. */
function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

export function pathTo(repository: string, view: View, ref?: string | number): string {
  return `/${[repository, view, ...(ref === undefined ? [] : [String(ref)])].map(encodeURIComponent).join('/')}`
}

/** `keepFocus`: the view stays, only what it shows of itself changes. */
export function go(path: string, how: { replace?: boolean; keepFocus?: boolean } = {}): void {
  const { replace = false, keepFocus = replace } = how
  if (replace) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  address.value = path
  if (!keepFocus) document.getElementById('view')?.focus()
}

/** The present address with other values in its query. An empty value is left out. */
export function pathWith(values: Readonly<Record<string, string>>): string {
  const { pathname, searchParams } = new URL(address.value, location.origin)
  for (const [name, value] of Object.entries(values)) {
    if (value === '') searchParams.delete(name)
    else searchParams.set(name, value)
  }
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}

addEventListener('popstate', () => {
  address.value = location.pathname + location.search
})
