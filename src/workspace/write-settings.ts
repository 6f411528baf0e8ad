/** What a write of this workspace must know of git's settings, from the index if git has answered it before. */
import type { Repo } from '../platform/git/find-repo.ts'
import { rememberIdentity } from '../platform/git/git-identity.ts'
import { environmentNeedsGit } from '../platform/git/objects/loose-rules.ts'
import {
  askSettings,
  isCurrent,
  type KeptAnswer,
  settingsState,
  type WriteSettings,
} from '../platform/git/settings/write-settings.ts'
import type { State } from '../state/index/open-state.ts'
import { keepAnswer, keptAnswer } from '../state/kept-answers.ts'

interface Known extends WriteSettings {
  state: string | null
  /** An answer that the index does not have yet. */
  fresh: KeptAnswer | null
}

const known = new WeakMap<Repo, Known>()

/** Looks at the configuration, and asks git only if it has changed. Before the lock: others need not wait for it. */
export function findWriteSettings(repo: Repo, db: State): Known {
  const state = settingsState(repo)
  const before = known.get(repo)
  if (before !== undefined && state !== null && before.state === state) return before
  const kept = state === null ? null : answerIn(db, state)
  const asked = kept === null ? askSettings(repo) : { now: kept, kept: null }
  const { identity, needsGit, remotes } = asked.now
  if (identity !== null) rememberIdentity(repo, identity)
  const found = { identity, needsGit, remotes, state, fresh: asked.kept }
  known.set(repo, found)
  return found
}

/** As they were when this process last looked at the configuration: every write begins with such a look. */
export function writeSettings(repo: Repo, db: State): WriteSettings {
  return known.get(repo) ?? findWriteSettings(repo, db)
}

/** Whether gza may write the objects of a ledger itself. */
export function mayWriteObjects(repo: Repo, db: State): boolean {
  return !environmentNeedsGit(repo.env) && !writeSettings(repo, db).needsGit
}

/** Puts a new answer into the index. The caller holds the lock. */
export function keepWriteSettings(repo: Repo, db: State): void {
  const found = known.get(repo)
  if (found?.state == null || found.fresh === null) return
  keepAnswer(db, found.state, found.fresh)
  known.set(repo, { ...found, fresh: null })
}

function answerIn(db: State, state: string): KeptAnswer | null {
  const kept = keptAnswer(db, state) as KeptAnswer | null
  return kept?.remotes !== undefined && isCurrent(kept) ? kept : null
}
