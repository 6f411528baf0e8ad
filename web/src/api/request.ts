import { bearer, forget } from './session.ts'

/** What the server refuses: a code, a sentence, and what helps. */
export class Refused extends Error {
  readonly code: string
  readonly hint: string | null
  constructor({ code, message, hint }: { code: string; message: string; hint: string | null }) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

export interface Expected {
  ref: string
  version: string
}

export async function get<T>(path: string): Promise<T> {
  return answered(await fetch(`/api/${path}`, { headers: headers() }))
}

/** Does something as the person. `expected`: what was shown of the task. */
export async function act<T>(repository: string, action: string, input: object, expected?: Expected): Promise<T> {
  return post(`r/${repository}/actions/${action}`, { ...input, ...(expected && { expected }) })
}

export async function post<T>(path: string, input: object): Promise<T> {
  const body = JSON.stringify(input)
  const init = { method: 'POST', headers: { ...headers(), 'content-type': 'application/json' }, body }
  return answered(await fetch(`/api/${path}`, init))
}

export function headers(): Record<string, string> {
  return { authorization: `Bearer ${bearer()}` }
}

async function answered<T>(response: Response): Promise<T> {
  if (response.status === 401) forget()
  const body = await response.json().catch(() => ({}))
  if (response.ok) return body as T
  throw new Refused(body.error ?? { code: 'NO_ANSWER', message: `The server answered ${response.status}`, hint: null })
}
