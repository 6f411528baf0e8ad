import { command, commandLine, sentence } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { shellWord } from '../core/text/shell-word.ts'
import { UserError } from '../core/user-error.ts'
import { RED_IN_BOX } from '../landing/base-checks.ts'
import type { BadCommit } from '../ledger/verify/first-bad-commit.ts'
import { readRef } from '../platform/git/refs.ts'
import {
  dropMatter,
  HOOK_CHANGED,
  type Matter,
  mattersOf,
  NESTED_REPOSITORY,
  PAGE_ASKED,
  REF_CHANGED,
  REMOTE_ADDED,
  SETTINGS_PUT_BACK,
} from '../state/live/matters.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { badText, firstBadHere, judgeFetched } from '../workspace/legal/legal-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { InboxItem } from './inbox-item.ts'

/** Inbox items that do not belong to a task. */
export function matterItems(view: LedgerView): InboxItem[] {
  const { ws } = view
  const matters = ws.live === null ? [] : mattersOf(ws.live, ws.ledger)
  return [...illegalItems(view), ...matters.flatMap((matter) => itemOf(ws, matter))]
}

function itemOf(ws: Workspace, matter: Matter): InboxItem[] {
  if (matter.code === 'MACHINE_FAULT') return [machineFault(matter)]
  if (matter.code === REF_CHANGED) return [changedRef(matter)]
  if (matter.code === SETTINGS_PUT_BACK) return [settingPutBack(matter)]
  if (matter.code === HOOK_CHANGED) return [changedHook(matter)]
  if (matter.code === REMOTE_ADDED) return [addedRemote(matter)]
  if (matter.code === NESTED_REPOSITORY) return [nestedRepository(matter)]
  if (matter.code === PAGE_ASKED) return [askedForPage(matter)]
  return matter.code === 'BASE_RED' || matter.code === RED_IN_BOX ? redBase(ws, matter) : refusedImport(matter)
}

/** The first illegal commit of the ledger, and of each remote's copy that was not taken in because of it. */
function illegalItems({ ws }: LedgerView): InboxItem[] {
  const here = firstBadHere(ws, ws.ledger)
  const fetched = judgeFetched(ws, ws.ledger).flatMap(({ remote, firstBad }) =>
    firstBad === null ? [] : [illegalItem(`${ws.ledger} on ${remote}`, firstBad)],
  )
  return here === null ? fetched : [illegalItem(ws.ledger, here), ...fetched]
}

function illegalItem(subject: string, bad: BadCommit): InboxItem {
  const commit = bad.commit.slice(0, 12)
  const commands = [commandLine`verify --accept ${commit}`, commandLine`sync --without ${commit}`]
  return { task: null, subject, code: 'ILLEGAL_HISTORY', detail: badText(bad), commands }
}

function refusedImport({ subject, code, facts }: Matter): InboxItem[] {
  const { loops = [], command: words = [] } = facts as { loops?: string[]; command?: string[] }
  const again = commandLine`${words}`
  const commands = [again, commandLine`resolve ${subject} --skip`]
  return [{ task: null, subject, code, detail: loops.join('\n'), commands, cycle_texts: loops }]
}

/** A ref that changed while an agent or a check ran. A person may have done it, so only the branch of a run is put back. */
function changedRef({ subject, code, facts }: Matter): InboxItem {
  const { ref, from, to, kept, restore, what, why } = facts as Record<string, string | null>
  const keeps = why === 'put-back' ? 'other' : why === 'left-out' || why === 'undone' ? 'new' : 'old'
  const keeping = kept === null ? '' : `\nThe ${keeps} commit is kept as ${kept}`
  const detail = `${what}\n${ref}: ${from} → ${to ?? 'nothing'}${keeping}`
  return { task: null, subject, code, detail, commands: [String(restore), dismissal(subject)] }
}

/** A person's own installation may have made it. */
function settingPutBack({ subject, code, facts }: Matter): InboxItem {
  const { run, how, again } = facts as Record<string, string | null>
  const detail = `${subject} was ${how} during run ${run}, and is as before. If you did that, do it again.`
  return { task: null, subject, code, detail, commands: [...(again ? [again] : []), dismissal(subject)] }
}

/** In the person's own tree, so it stays as it is. */
function changedHook({ subject, code, facts }: Matter): InboxItem {
  const detail = `${subject} changed during run ${facts.run}, and git runs it as a hook. Read it before you commit or push.`
  return { task: null, subject, code, detail, commands: [`git diff -- ${shellWord(subject)}`, dismissal(subject)] }
}

/** A person or an agent may have added it. */
function addedRemote({ subject, code, facts }: Matter): InboxItem {
  const { run, name, address } = facts as Record<string, string>
  const detail = `${name} was added during run ${run}: ${address}\nUntil you dismiss this, nothing is exchanged with it, unless you name it.`
  return { task: null, subject, code, detail, commands: ['git remote --verbose', dismissal(subject)] }
}

/** In the person's own tree, so it stays as it is. */
function nestedRepository({ subject, code, facts }: Matter): InboxItem {
  const { run, git, isChanged, more, left } = facts as unknown as NestedFacts
  const what = isChanged ? 'The settings of this nested repository changed' : 'This nested repository appeared'
  const others = left === 0 ? '' : `\nThe same holds for ${[...more, ...(left > more.length ? ['…'] : [])].join(', ')}`
  const detail = `${what} during run ${run}. Git runs the programs that ${git}/config and ${git}/hooks name as soon as it looks inside: git status does if it is tracked, and so do shells and editors that show the state of a folder. Read both first. What you do not want, move out of this tree.${others}`
  const look = [`cat ${shellWord(`${git}/config`)}`, 'git status --ignore-submodules=all']
  return { task: null, subject, code, detail, commands: [...look, dismissal(subject)] }
}

interface NestedFacts {
  run: string
  /** Git's own files. */
  git: string
  isChanged: boolean
  more: string[]
  left: number
}

/** It was refused. What the agent wanted there is for a person to find out. */
function askedForPage({ subject, code, facts }: Matter): InboxItem {
  const { run, number, title, agent } = facts as { run: string; number: number | null; title: string; agent: string }
  const whose = number === null ? '' : `, ${agent} at #${number} ${title},`
  const detail = `A process of run ${run}${whose} asked for access to the page in the browser, and was refused. Only people use it. Look at what the agent did.`
  const look = number === null ? [] : [commandLine`logs ${number}`]
  return { task: null, subject, code, detail, commands: [...look, dismissal(subject)] }
}

function dismissal(subject: string): string {
  return commandLine`resolve ${subject} --skip`
}

/** Work stopped because of this machine. The next work that starts forgets it. */
function machineFault({ subject, code, facts }: Matter): InboxItem {
  const detail = [facts.why, facts.next].filter(Boolean).join('\n')
  return { task: null, subject, code, detail, commands: [commandLine`doctor`, commandLine`work --all`] }
}

/** A result is valid only for its commit. A base that has moved is checked again when work begins or something lands. */
function redBase({ repo }: Workspace, { subject, code, facts }: Matter): InboxItem[] {
  const commit = String(facts.commit)
  if (readRef(repo, `refs/heads/${subject}`) !== commit) return []
  const isInBox = code === RED_IN_BOX
  const how = isInBox ? 'passes its checks outside, but fails them in a box' : 'fails its own checks'
  const detail = `${commit.slice(0, 7)} ${how}, so no agent starts and nothing lands: ${facts.why}${isInBox ? `\n${facts.advice}` : ''}`
  const see = !isInBox && typeof facts.run === 'string' && facts.run !== '' ? [facts.run] : []
  const commands = [...see, commandLine`work --all`, commandLine`work --all --no-base-check`, commandLine`queue`]
  return [{ task: null, subject, code, detail, commands }]
}

/** A person dismisses it. False: there is no such matter. */
export function settleMatter({ live, ledger, actor }: Workspace, subject: string, resolution: string): boolean {
  const found = live === null ? [] : mattersOf(live, ledger).filter((matter) => matter.subject === subject)
  const [first] = found
  if (live === null || first === undefined) return false
  assertAllowed('resolve', actor)
  if (resolution !== 'skip')
    throw new UserError('USAGE', `${subject} is not a task: it can only be skipped`, {
      hint: sentence`${command`resolve ${subject} --skip`} removes it from the inbox`,
      exitCode: 2,
    })
  for (const matter of found) dropMatter(live, matter)
  return true
}
