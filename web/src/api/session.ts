import { signal } from '@preact/signals'

/**
 * Who this page is for the server. The token of the address is used once; the bearer that it gives stays in this tab, and
 * is handed to further tabs of the same origin that ask for it.
 */
export type SignedIn = 'starting' | 'yes' | 'no'

export const signedIn = signal<SignedIn>('starting')

const KEY = 'bearer'
const ASK_MS = 400
const channel = new BroadcastChannel('gza-session')

channel.addEventListener('message', ({ data }) => {
  const bearer = sessionStorage.getItem(KEY)
  if (data?.kind === 'ask' && bearer !== null) channel.postMessage({ kind: 'bearer', bearer })
})

export async function signIn(): Promise<void> {
  const token = location.hash.slice(1)
  if (/^[\w-]{20,}$/.test(token)) {
    history.replaceState(null, '', location.pathname + location.search)
    await exchange(token)
  }
  if (sessionStorage.getItem(KEY) === null) await askOtherTabs()
  signedIn.value = sessionStorage.getItem(KEY) === null ? 'no' : 'yes'
}

export function bearer(): string {
  return sessionStorage.getItem(KEY) ?? ''
}

/** The server was started anew, and knows nobody. */
export function forget(): void {
  sessionStorage.removeItem(KEY)
  signedIn.value = 'no'
}

async function exchange(token: string): Promise<void> {
  const response = await fetch('/api/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  if (response.ok) sessionStorage.setItem(KEY, (await response.json()).bearer)
}

function askOtherTabs(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      channel.removeEventListener('message', take)
      resolve()
    }
    const take = ({ data }: MessageEvent): void => {
      if (data?.kind !== 'bearer') return
      sessionStorage.setItem(KEY, data.bearer)
      done()
    }
    channel.addEventListener('message', take)
    channel.postMessage({ kind: 'ask' })
    setTimeout(done, ASK_MS)
  })
}
