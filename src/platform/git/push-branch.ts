import { UserError } from '../../core/user-error.ts'
import type { Repo } from './find-repo.ts'
import { askRemote } from './remote-git.ts'

/** Pushes a branch forward under its own name, never by force. The person's pre-push hook runs, as long as it takes. */
export async function pushBranch(repo: Repo, remote: string, branch: string): Promise<void> {
  const ref = `refs/heads/${branch}`
  const exit = await askRemote(repo, ['push', '--porcelain', '--no-follow-tags', remote, `${ref}:${ref}`])
  if (exit.code === 0) return
  const row = exit.stdout
    .toString()
    .split('\n')
    .find((line) => line.startsWith('!'))
  const why = row?.split('\t')[2] ?? exit.stderr.trim().split('\n').at(-1) ?? ''
  const isBehind = /non-fast-forward|fetch first/.test(why)
  throw new UserError('PUSH_REFUSED', `${remote} refused the push of ${branch}: ${why}`, {
    hint: isBehind
      ? `The remote has commits that are not here. Get them first: git pull ${remote} ${branch}`
      : `Check that git push ${remote} ${branch} works, then run the command again.`,
  })
}
