import { makeRedact } from '../engine/guard/redact.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * A text for the ledger without secrets, as in logs: a ledger is pushed, and nothing can be removed from it again.
 * `what` names the text in the warning.
 */
export function withoutSecrets<T>({ env, warnings }: Workspace, value: T, what: string): T {
  const clean = makeRedact(env)(value)
  if (JSON.stringify(clean) === JSON.stringify(value)) return value
  warnings.push(`The ${what} had a secret in it. [redacted] was written instead.`)
  return clean
}
