import { copyFileSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { aRepo, type Repo, type Result } from '../support/repo.ts'
import { pidsWith, processesWith } from '../support/running-processes.ts'
import type { Client } from './clients.ts'
import { type ModelServer, startModelServer, type Told } from './model-server.ts'
import { setIsolation, strongestPair, through } from './pairs.ts'

/** A repository in which one real client works for gza, or two, each with a model that follows a script. */
export interface ClientScenario {
  repo: Repo
  /** The folder that holds the repository, the client's home and gza's state, and nothing more. */
  root: string
  /** gza with the client as its agent; not synchronous, because the model lives in this process. */
  work(...args: string[]): Promise<Result>
  retry(...args: string[]): Promise<Result>
  /** The flags that make the client the agent. */
  agent: string[]
  /** The same scenario with a home that knows nothing of earlier sessions. */
  withNewHome(): ClientScenario
  add(title: string, ...args: string[]): void
  show(ref: number): Shown
  json(...args: string[]): unknown
  /** Gives the model another script from here on. */
  play(script: Told): void
  requests(): string[]
  /** What the reviewer's model was asked. */
  asked(): string[]
  /** The command lines of all processes that live in this scenario's home. */
  processes(): string[]
  pids(): number[]
}

export interface Shown {
  id: string
  status: string
  branch: string | null
  commits: string[]
  notes: string[]
  runs: Record<string, unknown>[]
}

let server: ModelServer | undefined
let scenarios = 0

export interface Reviewer {
  client: Client
  script: Told
}

export function aClientScenario(client: Client, script: Told, config = '', reviewer?: Reviewer): ClientScenario {
  server ??= startModelServer()
  const name = `${client.name}-${++scenarios}`
  const reviewing = `${name}-reviewer`
  const pair = client.pair ?? strongestPair()
  const bare = aRepo({ through: (root) => through(pair, root) })
  const base = server.play(name, script)
  const alone = settle(bare, client, base)
  const repo = reviewer ? alsoFor(alone, reviewer, server.play(reviewing, reviewer.script)) : alone
  repo.commit('start', { 'gza.yaml': config })
  return scenarioIn(repo, { client, name, reviewing, base })
}

interface Cast {
  client: Client
  name: string
  reviewing: string
  base: string
}

function scenarioIn(repo: Repo, cast: Cast): ClientScenario {
  const { client, name, reviewing, base } = cast
  const agent = ['--agent', client.name, ...(client.model === null ? [] : ['--model', client.model])]
  const call =
    (command: string) =>
    (...args: string[]) =>
      repo.start(['gza', command, ...agent, ...args], { timeout: LONGEST })
  const json = (...args: string[]) => JSON.parse(expectOk(repo.gza(...args, '--json')).stdout)
  const own = `HOME=${repo.env.HOME}`
  return {
    repo,
    root: dirname(repo.dir),
    work: call('work'),
    retry: call('retry'),
    agent,
    withNewHome: () => scenarioIn(settle(repo, client, base, 'home-2'), cast),
    add: (title, ...args) => void expectOk(repo.gza('add', title, ...args)),
    show: (ref) => json('show', String(ref)),
    json,
    play: (next) => void server?.play(name, next),
    requests: () => server?.requests(name) ?? [],
    asked: () => server?.requests(reviewing) ?? [],
    processes: () => processesWith(own),
    pids: () => pidsWith(own),
  }
}

export function expectOk(result: Result): Result {
  if (result.code !== 0) throw new Error(`exit code ${result.code}: ${result.stdout}${result.stderr}`)
  return result
}

const LONGEST = 330_000

/** The clients' own temporary files stay in the scenario's folder too. */
function settle(bare: Repo, client: Client, base: string, folder = 'home'): Repo {
  const root = dirname(bare.dir)
  const home = join(root, folder)
  const tmp = join(root, 'tmp')
  mkdirSync(tmp, { recursive: true })
  mkdirSync(home, { recursive: true })
  if (folder !== 'home') copyFileSync(join(root, 'home/.gitconfig'), join(home, '.gitconfig'))
  setIsolation({ HOME: home }, client.pair ?? strongestPair(), client.isStrict ? 'strict' : 'auto')
  const bin = join(clientsFolder(), 'node_modules/.bin')
  const paths = String(bare.env.PATH).split(delimiter)
  return bare.withEnv({
    ...client.settle(base, home),
    HOME: home,
    PATH: [bin, ...paths.filter((path) => path !== bin)].join(delimiter),
    XDG_STATE_HOME: join(root, 'state'),
    TMPDIR: tmp,
    TERM: 'dumb',
    GZA_TRUST: '1',
  })
}

function alsoFor(repo: Repo, { client }: Reviewer, base: string): Repo {
  return repo.withEnv(client.settle(base, String(repo.env.HOME)))
}

function clientsFolder(): string {
  const folder = process.env.GZA_CLIENTS
  if (folder === undefined) throw new Error('GZA_CLIENTS names no folder: run `npm run test:agents`')
  return folder
}
