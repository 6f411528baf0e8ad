import type { Repo } from '../../platform/git/find-repo.ts'
import { readLogRecords, trailer } from '../log-records.ts'

/** The newest commits of these histories that contain none of the left-out commits. */
export function headsWithout(repo: Repo, tips: readonly string[], leftOut: ReadonlySet<string>): string[] {
  const tainted = new Set<string>()
  const heads = new Set<string>()
  for (const [oid = '', parents = ''] of readLogRecords(
    repo,
    ['%H', '%P'],
    ['--topo-order', '--reverse', ...tips, '--'],
  )) {
    const from = parents.split(' ').filter(Boolean)
    if (leftOut.has(oid) || from.some((parent) => tainted.has(parent))) tainted.add(oid)
    else {
      heads.add(oid)
      for (const parent of from) heads.delete(parent)
    }
  }
  return [...heads]
}

/** The commits that people have left out of this history, as its own commits say. */
export function leftOutIn(repo: Repo, tip: string, since: string | null = null): Set<string> {
  const range = [tip, ...(since === null ? [] : [`^${since}`]), '--']
  const records = readLogRecords(repo, [trailer('Without'), trailer('Mode')], range)
  return new Set(
    records.flatMap(([without = '', mode = '']) => (mode.trim() === 'human' && without ? [without.trim()] : [])),
  )
}
