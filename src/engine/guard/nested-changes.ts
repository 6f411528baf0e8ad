/**
 * Repositories that appear inside the person's own tree while an agent works there. Git runs what is configured in them as
 * soon as a person looks: `git status` does for one that is tracked, and every git inside of it.
 */
import { join } from 'node:path'
import { findNested, type NestedRepository } from '../../platform/files/untrusted/nested-repositories.ts'
import { keepMatter, NESTED_REPOSITORY } from '../../state/live/matters.ts'
import type { Live } from '../../state/live/open-live.ts'

export interface NestedWatch {
  /** The person's tree. */
  tree: string
  before: NestedRepository[]
}

export function watchNested(tree: string): NestedWatch {
  return { tree, before: findNested(tree) }
}

/** What an agent or a check has no business with: git's files of those that were there before, and gza's own folder. */
export function keptInTree({ tree, before }: NestedWatch): string[] {
  const repositories = before.filter(({ folder, git }) => folder !== git).map(({ git }) => join(tree, git))
  return [...repositories, join(tree, '.gza')]
}

interface Reporting {
  /** The inbox; null if there is none. */
  live: Live | null
  ledger: string
  run: string
  at: string
}

/** Puts what is new or changed into the inbox. Returns a sentence for each. */
export function reportNested({ tree, before }: NestedWatch, { live, ledger, run, at }: Reporting): string[] {
  const known = new Map(before.map(({ git, stamp }) => [git, stamp]))
  const found = findNested(tree).filter(({ git, stamp }) => known.get(git) !== stamp)
  const sorted = found.toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
  const rest = sorted.slice(MOST).map(({ folder }) => folder)
  return sorted.slice(0, MOST).map(({ folder, git }, index) => {
    const isChanged = known.has(git)
    const more = index === MOST - 1 ? rest : []
    const facts = { run, git, isChanged, more: more.slice(0, MOST_NAMED), left: more.length }
    if (live !== null) keepMatter(live, { ledger, code: NESTED_REPOSITORY, subject: folder, at, facts })
    return nestedWords(folder, { isChanged, left: more.length })
  })
}

const MOST = 10
const MOST_NAMED = 100

function nestedWords(folder: string, { isChanged, left }: { isChanged: boolean; left: number }): string {
  const what = isChanged ? 'the settings of the repository in' : 'a repository appeared in'
  const more = left === 0 ? '' : ` and ${left} more folders`
  return isChanged ? `${what} ${folder}${more} changed` : `${what} ${folder}${more}`
}
