import { UserError } from '../core/user-error.ts'
import type { WorkspaceOptions } from '../workspace/workspace.ts'
import { answerRequest, type Served } from './answer-request.ts'
import { hostOf } from './check-request.ts'
import { openEventStream } from './event-stream.ts'
import type { Given, Listening, WebHost } from './host.ts'
import { openPageFiles } from './page-files.ts'
import { refuseAgents, refuseRuns } from './refuse-runs.ts'
import { findRepositories, type ServedRepository } from './served-repositories.ts'
import { openSignIn, TOKEN_LIFE_MS } from './sign-in.ts'

export interface ServeOptions {
  folders: readonly string[]
  env: WorkspaceOptions['env']
  version: string
  /** 0: a free one. */
  port: number
  readOnly: boolean
  /** Aborted when the server has to end. */
  stop: AbortSignal
  /** Called once with the address that has a token, and whether a browser shows it. */
  opened(address: string, how: { inBrowser: boolean; already: boolean }): void
  isOpening: boolean
  report(sentence: string): void
}

/** Serves the page until it is stopped, or opens the server that shows the repositories already. */
export async function serve(options: ServeOptions, host: WebHost): Promise<void> {
  await refuseAgents(options)
  const repositories = await findRepositories(options.folders, options.env)
  host.browser.removeOld(TOKEN_LIFE_MS)
  if (await openRunning(options, host, repositories)) return
  const served = makeServed(options, host, repositories)
  const listening = host.listen(options.port, (request, peerPort) =>
    answerRequest({ ...served, admit: admitter(listening) }, request, { port: listening.port, peerPort }),
  )
  function admitter({ port }: Listening) {
    return (peerPort: number | null) =>
      refuseRuns(options, repositories, peerPort === null ? [] : host.peers(port, peerPort))
  }
  const address = (): string => newAddress(served, host, listening)
  const offers = await offerAddresses(options, host, repositories, address)
  const shown = address()
  openAt(options, host, shown, false)
  await aborted(options.stop)
  host.browser.forget(tokenOf(shown))
  for (const offer of offers) offer?.stop()
  served.events.close()
  await listening.stop()
}

function makeServed(
  options: ServeOptions,
  host: WebHost,
  repositories: readonly ServedRepository[],
): Omit<Served, 'admit'> {
  const { env, version, readOnly } = options
  const signIn = openSignIn(host.clock)
  return {
    ...{ repositories, env, version, readOnly },
    signIn: {
      ...signIn,
      exchange(token) {
        const bearer = signIn.exchange(token)
        if (bearer === null) return null
        host.browser.forget(token)
        options.report('A browser has signed in.')
        return bearer
      },
    },
    events: openEventStream({ repositories, env }, host),
    pageFile: openPageFiles(host),
    preferences: host.preferences,
    commands: host.commands,
  }
}

/** The file of a token that nobody used is removed too. */
function newAddress({ signIn }: Pick<Served, 'signIn'>, { browser }: WebHost, { port }: Listening): string {
  setTimeout(() => browser.removeOld(TOKEN_LIFE_MS), TOKEN_LIFE_MS + 1000).unref()
  return `http://${hostOf(port)}/#${signIn.newToken()}`
}

function openAt({ isOpening, opened }: ServeOptions, { browser }: WebHost, address: string, already: boolean): void {
  const inBrowser = isOpening && browser.open(address, tokenOf(address))
  opened(address, { inBrowser, already })
}

function tokenOf(address: string): string {
  return new URL(address).hash.slice(1)
}

/** True: another process shows these repositories in the same way, and has given its address. */
async function openRunning(options: ServeOptions, host: WebHost, repositories: readonly ServedRepository[]) {
  const [first] = repositories
  const given = first === undefined ? null : await host.running.ask(first.id)
  if (given === null) return false
  if ('refused' in given) throw new UserError('NOT_FOR_AGENTS', given.refused)
  const isSame = repositories.every(({ id }) => given.repositories.includes(id)) && given.readOnly === options.readOnly
  if (!isSame || ![0, Number(new URL(given.address).port)].includes(options.port)) return false
  openAt(options, host, given.address, true)
  return true
}

function offerAddresses(
  options: ServeOptions,
  host: WebHost,
  repositories: readonly ServedRepository[],
  address: () => string,
) {
  const shown = { repositories: repositories.map(({ id }) => id), readOnly: options.readOnly }
  const give = async (pid: number): Promise<Given> => {
    try {
      await refuseRuns(options, repositories, [pid])
      return { address: address(), ...shown }
    } catch (error) {
      return { refused: (error as Error).message }
    }
  }
  return Promise.all(repositories.map(({ id }) => host.running.offer(id, give)))
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
