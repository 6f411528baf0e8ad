import { effect } from '@preact/signals'
import { preference, setPreference } from '../api/preferences.ts'

type Theme = 'dark' | 'light'

/** Until the server has said what was chosen, a reload keeps what this tab had: nothing flashes. */
const KEY = 'theme'

effect(() => {
  document.documentElement.dataset.theme = theme()
})

/** The system's choice, until the person makes one. */
function theme(): Theme {
  const chosen = preference(KEY) ?? sessionStorage.getItem(KEY)
  if (chosen === 'dark' || chosen === 'light') return chosen
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

export function ThemeButton() {
  const other = theme() === 'dark' ? 'light' : 'dark'
  const change = (): void => {
    sessionStorage.setItem(KEY, other)
    setPreference(KEY, other)
  }
  return (
    <button type="button" class="quiet" onClick={change}>
      {other === 'light' ? 'Light' : 'Dark'}
    </button>
  )
}
