import type { GitPlace } from '../../platform/git/git.ts'
import { runOwnGit, tryOwnGit } from '../../platform/git/own-git.ts'
import { type LandOrder, trailersOf } from './land-order.ts'
import type { OwnCommits } from './own-commits.ts'

type Squashed = Pick<LandOrder, 'tip' | 'title' | 'ids'>

/**
 * One commit with all of the branch's own work, which can be picked like any other. Its parent is the commit where the
 * work starts, so that its diff contains nothing of a predecessor. Null if the two histories have nothing in common.
 */
export function squashCommit(
  place: GitPlace,
  order: Squashed,
  branchCommits: OwnCommits,
  start: string,
): string[] | null {
  const from = branchCommits.from ?? mergeBase(place, start, order.tip)
  if (from === null) return null
  const args = ['commit-tree', '--no-gpg-sign', `${order.tip}^{tree}`, '-p', from]
  const commit = runOwnGit(byAuthorOf(place, order.tip), args, messageOf(place, order, branchCommits))
  return [commit.toString().trim()]
}

function mergeBase(place: GitPlace, a: string, b: string): string | null {
  const exit = tryOwnGit(place, ['merge-base', a, b])
  return exit.code === 0 ? exit.stdout.toString().trim() : null
}

function byAuthorOf(place: GitPlace, commit: string): GitPlace {
  const format = '--format=%an%x00%ae%x00%aD'
  const text = runOwnGit(place, ['log', '-1', '--no-show-signature', format, commit]).toString()
  const [name, mail, date] = text.trimEnd().split('\0')
  return {
    ...place,
    env: { ...place.env, GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: mail, GIT_AUTHOR_DATE: date },
  }
}

function messageOf(place: GitPlace, { title, ids }: Squashed, { commits, merges }: OwnCommits): string {
  const listed = commits.filter((commit) => !merges.includes(commit))
  const format = ['--no-walk=unsorted', '--no-show-signature', '--format=* %s']
  const subjects = listed.length === 0 ? '' : runOwnGit(place, ['log', ...format, ...listed]).toString()
  return `${[title, subjects.trimEnd(), trailersOf(ids)].filter(Boolean).join('\n\n')}\n`
}
