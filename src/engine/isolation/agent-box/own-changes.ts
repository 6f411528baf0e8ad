/**
 * What is not committed in the person's own tree, after agents have worked there. A filter of the person may be a program
 * of the tree, as an agent has left it: if one is needed, it runs in a box.
 */
import type { Repo } from '../../../platform/git/find-repo.ts'
import { guarded, placeAt, runOwnGit } from '../../../platform/git/own-git.ts'
import { readRef } from '../../../platform/git/refs.ts'
import { withoutFilters } from '../../../platform/git/settings/without-filters.ts'
import { type Change, listUncommitted } from '../../../platform/git/uncommitted.ts'
import { BRANCH, fetchWork } from '../private-git/fetch-work.ts'
import { importLfs } from '../private-git/import-lfs.ts'
import { makeCommandGit } from '../private-git/make.ts'
import { besideFolder, incomingRef, type PrivateGit, privateFolder } from '../private-git/private-git.ts'
import { removePrivateGit } from '../private-git/remove.ts'
import { boxOfImport } from './import-in-box.ts'
import { NOTHING_INSIDE, SET_ASIDE } from './keep-inside.ts'
import { runInside } from './run-inside.ts'
import type { RunIsolation } from './run-level.ts'

export async function readOwnChanges(repo: Repo, isolation: RunIsolation): Promise<Change[]> {
  // As the person's variables name the tree, which may have no `.git`.
  const place = guarded(repo)
  const { settings } = withoutFilters(repo, repo.workTree ?? repo.dir)
  const seeming = await listUncommitted({ ...place, settings })
  if (seeming.length === 0 || settings.length === 0) return seeming
  const { level } = isolation
  if (level === 'none') return listUncommitted(place)
  return withTreeGit(repo, isolation, async (git) => {
    const answer = await runInside(repo, { git, level }, { ...NOTHING_INSIDE, at: git.about.tip })
    return typeof answer === 'string' ? seeming : answer.left.map(({ path, state }) => ({ path, state }))
  })
}

/**
 * Commits what is not committed to a ref, and makes the tree clean. First it is kept, so that nothing is lost if this is
 * interrupted. Returns why it could not; then nothing has changed.
 */
export function setOwnChangesAside(
  repo: Repo,
  isolation: RunIsolation,
  { ref, message, identity }: { ref: string; message: string; identity: string },
): Promise<string | null> {
  const { level } = isolation
  return withTreeGit(repo, isolation, async (git) => {
    const order = { ...NOTHING_INSIDE, identity, at: git.about.tip }
    const kept = await runInside(repo, { git, level }, { ...order, aside: { message, isKept: false } })
    if (typeof kept === 'string') return kept
    if (kept.left.length === 0) return null
    importLfs(repo, git)
    const why = await fetchWork(repo, git, { branch: SET_ASIDE, ends: [], box: boxOfImport(repo, git, level) })
    const incoming = incomingRef(git.about.run, BRANCH)
    const commit = readRef(repo, incoming)
    if (why !== null || commit === null) return why ?? `${SET_ASIDE} did not arrive`
    const moves = `update ${ref}\0${commit}\0\0delete ${incoming}\0\0`
    runOwnGit(
      placeAt(repo, repo.dir),
      ['update-ref', '-m', 'gza: set aside', '--create-reflog', '--stdin', '-z'],
      moves,
    )
    const cleaned = await runInside(repo, { git, level }, { ...order, aside: { message, isKept: true } })
    return typeof cleaned === 'string' ? cleaned : null
  })
}

/** With a private git folder of the tree as it is, beside that of an agent, which may contain work that is nowhere else. */
async function withTreeGit<T>(
  repo: Repo,
  { allow, isStrict }: RunIsolation,
  act: (git: PrivateGit) => Promise<T>,
): Promise<T> {
  const worktree = repo.workTree ?? repo.dir
  const folder = besideFolder(privateFolder(repo, repo.env, worktree))
  const { about } = makeCommandGit(repo, { run: `tree-${crypto.randomUUID()}`, worktree, folder })
  try {
    return await act({ folder, about: { ...about, opened: { allow, isStrict } } })
  } finally {
    removePrivateGit(repo, folder)
  }
}
