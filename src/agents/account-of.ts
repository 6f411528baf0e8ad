import { createHash } from 'node:crypto'
import type { Agent } from './agent.ts'

/**
 * The account that a client uses in an environment, as a short digest of what decides it: the home with its login, keys
 * and addresses. A login as somebody else in the same home is not noticed.
 */
export function accountOf({ accountVariables, ownEnv = {} }: Agent, env: Record<string, string | undefined>): string {
  const deciding = Object.entries(env).filter(([name]) => name === 'HOME' || accountVariables?.test(name))
  const values = Object.entries({ ...Object.fromEntries(deciding), ...ownEnv }).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 12)
}
