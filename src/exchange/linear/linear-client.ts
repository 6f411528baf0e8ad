/** Linear's GraphQL over fetch: one request at a time. It waits if Linear asks for it, but never for long. */
import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export interface Linear {
  /** The data of the answer. Throws LinearRefusal if Linear understood the request and refused it. */
  ask(document: string, variables: Record<string, unknown>): Promise<unknown>
}

/** Linear's refusal of one request; others may still succeed. */
export class LinearRefusal extends Error {}

const ENDPOINT = 'https://api.linear.app/graphql'
const TIMEOUT_SECONDS = 30
const TRIES = 4
/** Nobody waits longer than this at a terminal. */
const PATIENCE_MS = 60_000

export function openLinear({ env, clock }: Pick<Workspace, 'env' | 'clock'>): Linear {
  const key = env.LINEAR_API_KEY?.trim()
  if (!key)
    throw new UserError('LINEAR_KEY', 'LINEAR_API_KEY is not set', {
      hint: 'Make a personal API key in Linear (Settings, Security & access) and export LINEAR_API_KEY=…',
    })
  const place: Place = {
    url: checkedEndpoint(env.LINEAR_API_URL || ENDPOINT),
    // A personal key is sent alone, an OAuth token after its kind.
    authorization: key.startsWith('lin_oauth_') ? `Bearer ${key}` : key,
    timeoutMs: (Number(env.GZA_LINEAR_TIMEOUT_SECONDS) || TIMEOUT_SECONDS) * 1000,
    clock,
  }
  return { ask: (document, variables) => askPatiently(place, JSON.stringify({ query: document, variables })) }
}

interface Place {
  url: string
  authorization: string
  timeoutMs: number
  clock: () => number
}

/** The key is sent there: in plain text only to this machine itself. */
function checkedEndpoint(url: string): string {
  const { protocol, hostname } = URL.parse(url) ?? { protocol: '', hostname: '' }
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback)) return url
  throw new UserError('LINEAR_URL', `LINEAR_API_URL '${url}' is not an https address`, {
    hint: `export LINEAR_API_URL=${ENDPOINT}`,
  })
}

/** How one request ended, as data instead of an exception. */
type Answer =
  | { kind: 'data'; data: unknown }
  | { kind: 'refused'; why: string }
  | { kind: 'limited'; waitMs: number }
  | { kind: 'unauthorised' }
  | { kind: 'silent'; why: string }

async function askPatiently(place: Place, body: string): Promise<unknown> {
  let waited = 0
  for (let tries = 1; ; tries++) {
    const answer = await post(place, body)
    if (answer.kind === 'data') return answer.data
    if (answer.kind === 'refused') throw new LinearRefusal(answer.why)
    if (answer.kind === 'unauthorised') throw unauthorised()
    const pause = answer.kind === 'limited' ? answer.waitMs : 200 * 3 ** (tries - 1)
    waited += pause
    if (tries >= TRIES || waited > PATIENCE_MS) throw answer.kind === 'limited' ? limited(pause) : silent(answer.why)
    await Bun.sleep(pause)
  }
}

async function post({ url, authorization, timeoutMs, clock }: Place, body: string): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body,
      // Another host must not receive the key.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return judge(response, await response.text(), clock)
  } catch (error) {
    const { name, message } = error as Error
    return { kind: 'silent', why: name === 'TimeoutError' ? `no answer in ${timeoutMs / 1000} s` : message }
  }
}

interface GraphqlAnswer {
  data?: unknown
  errors?: { message?: string; extensions?: { code?: string; type?: string; userPresentableMessage?: string } }[]
}

function judge({ status, headers }: Response, text: string, clock: Place['clock']): Answer {
  const { data, errors = [] } = parseAnswer(text)
  const [error] = errors
  const codes = `${error?.extensions?.code ?? ''} ${error?.extensions?.type ?? ''}`.toLowerCase()
  // A used-up limit arrives as 429 from a proxy in front of Linear, and as 400 with a code from Linear itself.
  if (status === 429 || codes.includes('ratelimited')) return { kind: 'limited', waitMs: waitFrom(headers, clock()) }
  if (status === 401 || codes.includes('authentication')) return { kind: 'unauthorised' }
  if (status >= 500) return { kind: 'silent', why: `it answered with ${status}` }
  if (error !== undefined)
    return { kind: 'refused', why: error.extensions?.userPresentableMessage ?? error.message ?? 'no reason given' }
  if (status !== 200 || data === undefined || data === null)
    return { kind: 'silent', why: `it answered with ${status}` }
  return { kind: 'data', data }
}

function parseAnswer(text: string): GraphqlAnswer {
  try {
    return Object(JSON.parse(text)) as GraphqlAnswer
  } catch {
    return {}
  }
}

/** When Linear allows the next request: in seconds, or for each of its two limits as a time in milliseconds. */
export function waitFrom(headers: Headers, now: number): number {
  const after = headers.get('retry-after')
  if (after !== null && /^\d+$/.test(after)) return Number(after) * 1000
  const resets = ['requests', 'complexity']
    .filter((limit) => Number(headers.get(`x-ratelimit-${limit}-remaining`) ?? '0') <= 0)
    .map((limit) => Number(headers.get(`x-ratelimit-${limit}-reset`) ?? '0') - now)
    .filter((wait) => wait > 0)
  return resets.length > 0 ? Math.max(...resets) : 5000
}

function unauthorised(): UserError {
  return new UserError('LINEAR_KEY_REFUSED', 'Linear does not accept the key in LINEAR_API_KEY', {
    hint: 'Make a new personal API key in Linear and export it.',
  })
}

const AGAIN = sentence`Run ${command`linear sync`} again: what already exists is not created a second time.`

function limited(waitMs: number): UserError {
  return new UserError('LINEAR_LIMIT', `Linear asks to wait ${Math.ceil(waitMs / 1000)} s: its rate limit is used up`, {
    hint: AGAIN,
  })
}

function silent(why: string): UserError {
  return new UserError('LINEAR_SILENT', `Linear cannot be reached: ${why}`, { hint: AGAIN })
}
