/** Why a request is refused, with the status of its answer. */
export interface Refusal {
  status: number
  code: string
  message: string
  hint: string | null
}

/**
 * Every request must name this server exactly as it prints itself. `localhost` may lead to another address, where another
 * program can listen, and a name that somebody else owns may lead here.
 */
export function wrongHost(request: Request, port: number): Refusal | null {
  if (request.headers.get('host') === hostOf(port)) return null
  return refusal(421, 'WRONG_HOST', 'This server answers only at the address that it has printed')
}

/** The rules of /api, beside the sign-in. */
export function badApiRequest(request: Request, port: number): Refusal | null {
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== `http://${hostOf(port)}`)
    return refusal(403, 'WRONG_ORIGIN', 'Only the page of this server may ask it')
  if (request.headers.get('sec-fetch-site') !== 'same-origin')
    return refusal(403, 'WRONG_SITE', 'Only the page of this server may ask it')
  if (request.method === 'GET') return null
  if (request.method !== 'POST') return refusal(405, 'WRONG_METHOD', 'Use GET or POST')
  if (origin === null) return refusal(403, 'WRONG_ORIGIN', 'Only the page of this server may ask it')
  if (request.headers.get('content-type')?.split(';')[0]?.trim() !== 'application/json')
    return refusal(415, 'WRONG_TYPE', 'Send application/json')
  return null
}

export function bearerOf(request: Request): string {
  return /^Bearer ([\w-]+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
}

export function hostOf(port: number): string {
  return `127.0.0.1:${port}`
}

export function refusal(status: number, code: string, message: string, hint: string | null = null): Refusal {
  return { status, code, message, hint }
}
