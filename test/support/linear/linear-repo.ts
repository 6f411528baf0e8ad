import { aRepo, type Repo, type Result } from '../repo.ts'
import { aLinear, type FakeLinear, KEY } from './fake-linear.ts'

interface LinearRepo {
  repo: Repo
  linear: FakeLinear
  /** Not awaited in this process, the server could not answer. */
  sync(...flags: string[]): Promise<Result>
}

export const CONFIG = 'integrations:\n  linear:\n    enabled: true\n    team_id: ENG\n    create_project: true\n'

/** A repository beside a Linear of its own. */
export function aLinearRepo(options: Parameters<typeof aLinear>[0] = {}): LinearRepo {
  const linear = keepLinear(aLinear(options))
  const env = { LINEAR_API_KEY: KEY, LINEAR_API_URL: linear.url, GZA_LINEAR_TIMEOUT_SECONDS: '1' }
  const repo = aRepo({ env })
  repo.commit('first', { 'gza.yaml': CONFIG })
  return { repo, linear, sync: (...flags) => repo.start(['gza', 'linear', 'sync', ...flags]) }
}

const running: FakeLinear[] = []

export function keepLinear(linear: FakeLinear): FakeLinear {
  running.push(linear)
  return linear
}

/** To be called after each test. */
export function stopLinear(): void {
  for (const linear of running.splice(0)) linear.stop()
}

export function view(repo: Repo, ref: string) {
  return JSON.parse(repo.gza('show', ref, '--json').stdout)
}
