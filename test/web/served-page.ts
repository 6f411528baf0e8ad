import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Repo } from '../support/repo.ts'

/** A running `gza web`, and requests to it as the page makes them. */
export interface ServedPage {
  /** With the one-time token. */
  address: string
  origin: string
  port: number
  /** What the server has printed so far. */
  printed(): string
  signIn(): Promise<string>
  get(path: string, bearer: string, headers?: Record<string, string>): Promise<Response>
  post(path: string, body: unknown, bearer: string, headers?: Record<string, string>): Promise<Response>
  /** The id of the first repository. */
  repository(bearer: string): Promise<string>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** The fields of all answers. Whether they are there is for the test to say. */
export interface Answer {
  bearer: string
  repositories: { id: string }[]
  error: { code: string; message: string; hint: string | null }
  value: { version: string }
}

export async function answerOf(response: Response | Promise<Response>): Promise<Answer> {
  return (await (await response).json()) as Answer
}

const GZA = join(import.meta.dir, '../../dist/gza')

export function servePage(repo: Repo, ...flags: string[]): Promise<ServedPage> {
  return openServed(repo, ['web', '--no-open', ...flags])
}

/** What a command of gza serves. */
export async function openServed(repo: Repo, words: readonly string[]): Promise<ServedPage> {
  const child = spawn(GZA, [...words], { cwd: repo.dir, env: repo.env as NodeJS.ProcessEnv })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (printed += bytes))
  const address = await addressOf(child, () => printed)
  const { origin, port, hash } = new URL(address)
  const asPage = { 'sec-fetch-site': 'same-origin' }
  const post: ServedPage['post'] = (path, body, bearer, headers = {}) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { ...asPage, origin, 'content-type': 'application/json', authorization: `Bearer ${bearer}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const get: ServedPage['get'] = (path, bearer, headers = {}) =>
    fetch(`${origin}${path}`, { headers: { ...asPage, authorization: `Bearer ${bearer}`, ...headers } })
  return {
    ...{ address, origin, port: Number(port), get, post, printed: () => printed },
    signIn: async () => (await answerOf(post('/api/sign-in', { token: hash.slice(1) }, ''))).bearer,
    repository: async (bearer) => (await answerOf(get('/api/repositories', bearer))).repositories[0]?.id as string,
    stop(signal = 'SIGINT') {
      child.kill(signal)
      return ended
    },
  }
}

function addressOf(child: ChildProcess, printed: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const found = /http:\/\/127\.0\.0\.1:\d+\/#[\w-]+/.exec(printed())
      if (found) resolve(found[0])
    }
    child.stdout?.on('data', look)
    child.on('close', () => reject(new Error(`gza web ended: ${printed()}`)))
  })
}
