import type { BoxAdvice } from '../../core/isolation/box-advice.ts'
import { command, type Sentence, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { landBase } from '../../landing/land-base.ts'
import { verifyBase } from '../../landing/verify-base.ts'
import { readHead } from '../../platform/git/refs.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { assertTrusted } from '../../workspace/config/trust-config.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** How the checks went. The shape is public. */
export interface FirstCheck {
  base: string
  ok: boolean
  detail: string
  seconds: number
  /** It fails only in a box. */
  in_box: BoxAdvice | null
}

/** The checks could not be run. */
export interface NotChecked {
  why: Sentence
  next: Sentence
}

/** Sets a fresh worktree of the base up and runs the check there, as for every task. Null: there is no check. */
export async function checkBaseOnce(
  ws: Workspace,
  { cancel, started }: { cancel: AbortSignal; started: () => void },
): Promise<FirstCheck | NotChecked | null> {
  if (readHead(ws.repo).oid === null) return NO_COMMIT
  const config = await loadConfiguration(ws)
  if (config.verify.command === null) return null
  try {
    await assertTrusted(ws, { ...config, agents: new Map() })
    landBase(ws)
    started()
    const began = performance.now()
    const build = await verifyBase(ws, config, cancel)
    if (build === null) return { why: cancel.aborted ? 'stopped' : 'another process is landing there', next: AGAIN }
    const { base, ok, detail, in_box } = build
    return { base, ok, detail, seconds: Math.round((performance.now() - began) / 100) / 10, in_box }
  } catch (error) {
    if (error instanceof UserError) return { why: error.fact, next: error.hint ?? AGAIN }
    throw error
  }
}

const AGAIN = command`init`

/** Agents start from a commit, so the first one is a person's. */
const NO_COMMIT: NotChecked = {
  why: 'there is no commit yet',
  next: sentence`Make the first one, with gza.yaml in it (git add . && git commit), then: ${AGAIN}`,
}
