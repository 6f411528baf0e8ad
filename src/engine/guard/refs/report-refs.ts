import { shellWord } from '../../../core/text/shell-word.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { tryGit } from '../../../platform/git/git.ts'
import { swapRefs } from '../../../platform/git/refs.ts'
import { keepMatter, mattersOf, REF_CHANGED, SETTINGS_PUT_BACK } from '../../../state/live/matters.ts'
import type { Live } from '../../../state/live/open-live.ts'
import type { ChangedRefs, RefChange } from './changed-refs.ts'
import { STASH } from './keep-refs.ts'
import type { Intrusion } from './run-branches.ts'

export interface Reporting {
  repo: Repo
  /** Null: there is no inbox. */
  live: Live | null
  ledger: string
  run: string
  at: string
  /** Runs that were active. */
  during: readonly string[]
  /** Those of them whose agent was at work, so that their result was not known yet. */
  working: readonly string[]
}

/**
 * Nothing is put back, because a person may have done it. The old commits are kept, and the inbox has the command that
 * restores each. What a person has done for all that git logs is only returned: git's log has the old commit.
 */
export function reportRefs(reporting: Reporting, changes: readonly RefChange[]): string[] {
  return changes.map((change) =>
    change.isPersons ? describeRef(change) : reportEach({ ...reporting, during: [reporting.run] }, change),
  )
}

function reportEach({ repo, live, ledger, run, at, during }: Reporting, change: RefChange): string {
  const kept = keepCommit(repo, run, change)
  const what = describeRef(change)
  const subject = subjectOf(change)
  if (live === null) return what
  const runs = [...new Set([...runsOf(live, ledger, subject), ...during])]
  const facts = { runs, what, ...change, kept, restore: restoreCommand(change, kept) }
  keepMatter(live, { ledger, code: REF_CHANGED, subject, at, facts })
  return what
}

/**
 * What was done to the branch of another run. If it is put back while its agent works, that run may land. The runs that
 * were active meanwhile wait for a person, and otherwise so does the run itself: its result may contain the other commits.
 */
export function reportIntrusions(reporting: Reporting, intrusions: readonly Intrusion[]): string[] {
  return intrusions.map(({ owner, isPutBack, persons, ...change }) => {
    const isUnharmed = isPutBack && reporting.working.includes(owner)
    const runs = [...reporting.during, reporting.run, owner].filter((run) => !isUnharmed || run !== owner)
    if (persons === null)
      return reportEach({ ...reporting, during: runs }, { ...change, why: isPutBack ? 'put-back' : 'outside' })
    return reportEach(
      { ...reporting, during: [owner] },
      { ...change, to: persons, why: isPutBack ? 'left-out' : 'undone' },
    )
  })
}

/** Several runs may have been active while a ref changed. None of them lands by itself until a person has looked. */
function runsOf(live: Live, ledger: string, subject: string): string[] {
  const known = mattersOf(live, ledger).find((matter) => matter.code === REF_CHANGED && matter.subject === subject)
  return (known?.facts.runs as string[] | undefined) ?? []
}

/** The runs during which refs or remotes changed, with the sentence about the change, until a person dismisses it. */
export function runsWithChangedRefs(live: Live, ledger: string): Map<string, string> {
  const codes = [REF_CHANGED, SETTINGS_PUT_BACK]
  const matters = mattersOf(live, ledger).filter(({ code, facts }) => codes.includes(code) && Array.isArray(facts.runs))
  return new Map(matters.flatMap(({ facts }) => (facts.runs as string[]).map((run) => [run, String(facts.what)])))
}

/** Makes symbolic refs what they were, and returns what was done. */
export function putBackSymbolic(repo: Repo, symbolic: ChangedRefs['symbolic']): string[] {
  return symbolic.map(({ ref, from, target }) => {
    const args = from.startsWith('ref:')
      ? ['symbolic-ref', ref, from.slice('ref:'.length)]
      : ['update-ref', '--no-deref', '--create-reflog', '-m', 'gza: put back', ref, from]
    tryGit(repo, args)
    return `${ref} became a symbolic ref to ${target}; it is as before`
  })
}

export function describeRef({ ref, from, to, why }: RefChange): string {
  const values = `${short(from)} → ${to === null ? 'nothing' : short(to)}`
  switch (why) {
    case 'deleted':
      return `${ref} was deleted (${values})`
    case 'dropped':
      return `an entry of the stash was dropped (${short(from)})`
    case 'not-forward':
      return `${ref} was moved, and not forward (${values})`
    case 'unlanded':
      return `${ref} got commits of a run that has not landed (${values})`
    case 'unlogged':
      return `${ref}, which is checked out, got commits that git has not logged (${values})`
    case 'outside':
      return `${ref} of a run was moved from outside its worktree, and its agent may have gone on from there (${values})`
    case 'put-back':
      return `${ref} of a run was ${to === null ? 'deleted' : 'moved'} from outside its worktree (${values}); it is as before`
    case 'left-out':
      return `${ref} of a run was moved in another checkout (${values}), and its agent has changed the same files; it is as before`
    case 'undone':
      return `${ref} of a run was moved in another checkout (${values}), and its agent has then changed the same files`
    case 'switched':
      return `HEAD of your checkout was switched around git (${from} → ${to})`
    default:
      return why satisfies never
  }
}

function short(oid: string): string {
  return oid.slice(0, 10)
}

function subjectOf({ ref, from }: RefChange): string {
  return ref === STASH ? `stash ${short(from)}` : ref.replace(/^refs\/heads\//, '')
}

/** None of these destroys anything: the old value is kept, and a ref that has moved again is left alone. */
function restoreCommand({ ref, from, to, message, why }: RefChange, kept: string | null): string {
  if (why === 'undone') return `git diff ${to} ${shellWord(ref)}`
  if (why === 'put-back' || why === 'left-out')
    return kept === null ? `git log ${shellWord(ref)}` : `git log ${shellWord(kept)} --not ${from}`
  if (why === 'switched') return restoreHead(from)
  if (ref === STASH) return `git stash store -m ${shellWord(message || 'restored')} ${from}`
  if (to !== null) return `git update-ref ${shellWord(ref)} ${from} ${to}`
  const name = shellWord(ref.replace(/^refs\/(heads|tags)\//, ''))
  return ref.startsWith('refs/tags/') ? `git tag ${name} ${from}` : `git branch ${name} ${from}`
}

/** Like the switch itself, it leaves index and files alone. */
function restoreHead(from: string): string {
  return from.startsWith('ref: ')
    ? `git symbolic-ref HEAD ${shellWord(from.slice('ref: '.length))}`
    : `git update-ref --no-deref HEAD ${from}`
}

/** The commit that the ref had before, or what took its place for a while. */
function keepCommit(repo: Repo, run: string, { ref, from, to, why }: RefChange): string | null {
  const commit = why === 'switched' ? null : why === 'put-back' || why === 'left-out' || why === 'undone' ? to : from
  if (commit === null) return null
  const name = ref === STASH ? `stash/${short(from)}` : ref.replace(/^refs\//, '')
  const kept = `refs/gza/kept/${run}/${name}`
  swapRefs(
    repo,
    [{ ref: kept, to: commit, from: null }],
    `gza: ${ref} ${commit === from ? 'before it changed' : 'for a while'}`,
  )
  return kept
}
