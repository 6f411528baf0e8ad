/** Runs gza itself in a box, on an agent's worktree and its private git folder: git runs filters on files that it reads. */
import { z } from 'zod'
import { KEEP } from '../../../core/boxed-words.ts'
import type { Level } from '../../../core/isolation/levels.ts'
import { firstLine } from '../../../core/text/first-line.ts'
import { ensureFolder } from '../../../platform/files/files.ts'
import { ownExecutable } from '../../../platform/files/scripts.ts'
import { removeGitPipes } from '../../../platform/files/untrusted/remove-pipes.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { guarded, staying } from '../../../platform/git/own-git.ts'
import { runCaptured, untilAsked } from '../../../platform/processes/run-briefly.ts'
import { enclose } from '../box/enclose.ts'
import { findBoxMaker } from '../box/this-machine.ts'
import { ENDED_EARLY } from '../private-git/fetch-work.ts'
import { gitIn, type PrivateGit, temporaryIn } from '../private-git/private-git.ts'
import { clearPrivateLocks } from '../private-git/private-state.ts'
import type { InsideAnswer, InsideOrder } from './keep-inside.ts'
import { planKeepBox } from './plan-box.ts'

/** Filters of the agent may have run beside what answers, so that any answer may be theirs. */
const ANSWER: z.ZodType<InsideAnswer> = z.object({
  left: z.array(z.object({ path: z.string().max(4096), state: z.string().length(2), why: z.string().max(4096) })),
  conflict: z.object({ own: z.string().regex(/^[0-9a-f]{40,64}$/), files: z.array(z.string().max(4096)) }).nullable(),
})

/** Returns the answer, or the reason why there is none. */
export async function runInside(
  repo: Repo,
  { git, level }: { git: PrivateGit; level: Level },
  order: Omit<InsideOrder, 'gitDir'>,
): Promise<InsideAnswer | string> {
  const { folder, about } = git
  const binary = ownExecutable()
  await removeGitPipes(gitIn(folder))
  clearPrivateLocks(folder, about.branch)
  ensureFolder(temporaryIn(folder))
  const argv = [binary, KEEP, JSON.stringify({ ...order, gitDir: about.inside } satisfies InsideOrder)]
  const env = staying(guarded(repo).env)
  const boxed = enclose(level, planKeepBox(repo, git, binary), { argv, cwd: about.worktree, env }, findBoxMaker())
  const call = { ...boxed, input: null, limitMs: LIMIT_MS, mostBytes: MOST_BYTES }
  const { ended, isEarly } = await untilAsked(about.run, async (cancel) => {
    const ended = await runCaptured({ ...call, cancel })
    return { ended, isEarly: cancel.aborted }
  })
  if ('why' in ended) return ended.why
  if (isEarly) return ENDED_EARLY
  if (ended.isLate) return `it took longer than ${LIMIT_MS / 60_000} minutes`
  const answer = ended.code === 0 && !ended.isCut ? readAnswer(Buffer.from(ended.out).toString()) : null
  return answer ?? (firstLine(Buffer.from(ended.err).toString().trim()) || `it ended with ${ended.code}`)
}

const LIMIT_MS = 10 * 60_000
const MOST_BYTES = 16 * 1024 * 1024

function readAnswer(text: string): InsideAnswer | null {
  try {
    return ANSWER.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
