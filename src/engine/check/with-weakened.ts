import type { VerifySettings } from '../../core/config/settings.ts'
import type { RunEnd } from '../../core/run/run-rules.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { readWeakened } from './read-weakened.ts'

/** A person looks at some of them. Hundreds would only fill the ledger. */
const MOST_WEAKENED = 20

interface Work {
  /** The commit that the work started from. */
  base: string
  end: RunEnd
  verify: VerifySettings
}

/** Reports where completed work makes checks see less. */
export async function withWeakened(repo: Repo, { base, end, verify }: Work): Promise<RunEnd> {
  if (end.outcome !== 'completed' || end.head === undefined) return end
  const commands = [verify.command, verify.test_command]
  const weakened = await readWeakened(repo, { from: base, to: end.head, commands })
  return weakened.length === 0 ? end : { ...end, weakened: weakened.slice(0, MOST_WEAKENED) }
}
