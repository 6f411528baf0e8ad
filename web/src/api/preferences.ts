import { signal } from '@preact/signals'
import { post } from './request.ts'

/** What a person has chosen for the page. The server keeps it: the browser's own store belongs to a port, which changes. */
const preferences = signal<Readonly<Record<string, string>>>({})

const channel = new BroadcastChannel('gza-preferences')
channel.addEventListener('message', ({ data }) => takePreferences(data))

export function takePreferences(known: Readonly<Record<string, string>>): void {
  preferences.value = { ...preferences.value, ...known }
}

export function preference(name: string): string | undefined {
  return preferences.value[name]
}

/** Holds at once, in all tabs. A server that cannot be reached forgets it. */
export function setPreference(name: string, value: string): void {
  takePreferences({ [name]: value })
  channel.postMessage({ [name]: value })
  void post('preferences', { name, value }).catch(() => {})
}

/**
 * A choice that is kept for this person, in all repositories: `usePreference('diff', ['unified', 'side-by-side'])`. The
 * first of the choices holds until another one is made.
 */
export function usePreference<T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
): [chosen: T, choose: (value: T) => void] {
  const chosen = choices.find((each) => each === preference(name)) ?? choices[0]
  return [chosen, (value) => setPreference(name, value)]
}
