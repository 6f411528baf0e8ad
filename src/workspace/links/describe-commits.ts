import type { Repo } from '../../platform/git/find-repo.ts'
import { tryGit } from '../../platform/git/git.ts'

/** A commit as a list shows it. Of one that git does not have here, only its name is known. */
export interface DescribedCommit {
  oid: string
  subject: string | null
  by: string | null
  at: string | null
}

/** In the given order. */
export function describeCommits(repo: Repo, commits: readonly string[]): DescribedCommit[] {
  // The names come from the ledger, which anybody may have written.
  const oids = commits.filter((oid) => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(oid))
  const known = oids.length === 0 ? new Map<string, DescribedCommit>() : read(repo, oids)
  return commits.map((oid) => known.get(oid) ?? { oid, subject: null, by: null, at: null })
}

function read(repo: Repo, oids: readonly string[]): Map<string, DescribedCommit> {
  const options = ['--no-walk=unsorted', '--ignore-missing', '--no-show-signature', '--encoding=UTF-8']
  const format = '--format=tformat:%H%x00%an%x00%cI%x00%s%x00'
  const words = tryGit(repo, ['log', ...options, format, ...oids, '--'])
    .stdout.toString()
    .split('\0')
  const known = new Map<string, DescribedCommit>()
  for (let at = 0; at + 4 < words.length; at += 4) {
    const [oid = '', by = '', time = '', subject = ''] = words.slice(at, at + 4)
    known.set(oid.trim(), { oid: oid.trim(), subject, by, at: time })
  }
  return known
}
