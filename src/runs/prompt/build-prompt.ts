import { join } from 'node:path'
import type { VerifySettings } from '../../core/config/settings.ts'
import { fitPrompt, type Prompt, type PromptPart } from '../../core/documents/fit-prompt.ts'
import { criteriaList, exchangeText, fileLists, taskText } from '../../core/documents/prompt-text.ts'
import { declaredFiles, outsideScope } from '../../core/landing/scope.ts'
import { clientConfiguration } from '../../core/run/client-configuration.ts'
import { retryBriefing } from '../../core/run/retry-briefing.ts'
import { plainNotes } from '../../core/task/questions.ts'
import { type Task, type TaskType, uidOf } from '../../core/task/task.ts'
import { plural } from '../../core/text/plural.ts'
import { weakeningText } from '../../core/weakened/weakening.ts'
import { readWeakenedNow } from '../../engine/check/read-weakened.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runGit, tryGit } from '../../platform/git/git.ts'
import { readRef } from '../../platform/git/refs.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { trustedText } from '../../workspace/config/trust-config.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { promptTasks } from '../../workspace/views/context/read-context.ts'
import type { JudgedWork } from '../review/judged-work.ts'
import { dependencyParts } from './dependency-parts.ts'
import explore from './explore.md' with { type: 'text' }
import implement from './implement.md' with { type: 'text' }
import improve from './improve.md' with { type: 'text' }
import plan from './plan.md' with { type: 'text' }
import ralph from './ralph.md' with { type: 'text' }
import review from './review.md' with { type: 'text' }
import task from './task.md' with { type: 'text' }
import { planParts, reviewParts } from './text-parts.ts'

type PromptName = TaskType | 'ralph'

const TEMPLATES: Record<PromptName, string> = { task, explore, plan, implement, review, improve, ralph }

export interface PromptPlace {
  /** The kind of prompt, if it is not that of the task's type. */
  as?: TaskType
  /** For an improvement within a review cycle: the reviews that it answers, and the cycle's number. */
  reviews?: readonly PromptPart[]
  cycle?: number
  branch: string | null
  output: string | null
  /** For a review: what is judged. */
  judged: JudgedWork | null
  verify: Pick<VerifySettings, 'command' | 'test_command'>
  /** How the checks fail on the base, before any work. */
  baseRed?: string | null
}

/** More does not fit into every client's context together with the work itself. */
const MOST_TOKENS = 100_000

/** The whole prompt of one attempt. It contains texts of people and agents as data, with their origin. */
export function buildPrompt(view: LedgerView, subject: Task, place: PromptPlace): Prompt {
  return fitPrompt(promptTemplate(view, place.as ?? subject.type), {
    most: MOST_TOKENS,
    words: {
      task_id: subject.id,
      branch: place.branch ?? '',
      output_path: place.output ?? '',
      commit: place.judged?.commit.slice(0, 12) ?? '',
      commit_message: `Address review feedback${place.cycle === undefined ? '' : ` (cycle ${place.cycle})`}`,
      verify_hint:
        place.verify.command === null ? '' : `Your last commit will be checked with: ${place.verify.command}`,
    },
    parts: [
      ...taskParts(view, subject),
      ...planParts(view, subject),
      ...wholeParts(view, subject),
      ...dependencyParts(view, subject),
      ...tasksParts(view, subject),
      ...(place.reviews ?? reviewParts(view, subject)),
      ...(place.judged === null ? [] : scopeParts(view, subject, place.judged)),
      ...(place.judged === null ? [] : weakenedParts(view.ws.repo, place.judged, place.verify)),
      ...(place.judged === null ? [] : diffParts(view.ws.repo, place.judged)),
      ...failureParts(view, subject),
      ...baseParts(place.baseRed ?? null),
    ],
  })
}

/** A project may have its own prompts. They are used once they are trusted. */
export function promptTemplate(view: LedgerView, name: PromptName): string {
  return trustedText(view.ws, ownPrompt(name)) ?? TEMPLATES[name]
}

/** Those of the files that are a project's own prompts. */
export function promptFiles(files: readonly string[]): string[] {
  const names = Object.keys(TEMPLATES).map(ownPrompt)
  return files.filter((file) => names.includes(file))
}

function ownPrompt(name: string): string {
  return join('.gza', 'prompts', `${name}.md`)
}

/** The task, what it judges or improves, and the notes on both. */
function taskParts(view: LedgerView, subject: Task): PromptPart[] {
  const judged = judgedTask(view, subject)
  return [
    dataPart('task', `task ${subject.id}, filed by ${subject.created_by}`, taskText(subject)),
    ...questionParts(subject),
    ...noteParts(subject),
    ...(judged === null ? [] : judgedParts(judged, subject.type)),
    { place: 'criteria', name: 'acceptance criteria', text: criteriaList(subject), form: 'list' },
    { place: 'files', name: 'files of the task', text: fileLists(subject), form: 'list' },
  ]
}

function judgedParts(judged: Task, type: TaskType): PromptPart[] {
  const what = type === 'review' ? 'whose work you judge' : 'whose work you improve'
  const text = [taskText(judged), criteriaList(judged)].filter(Boolean).join('\n\n')
  return [dataPart('task', `task ${judged.id}, ${what}`, text), ...noteParts(judged)]
}

/** The first task named by a review or an improvement that is not a review itself. */
function judgedTask(view: LedgerView, { type, based_on, depends_on, after }: Task): Task | null {
  if (type !== 'review' && type !== 'improve') return null
  const named = [...based_on, ...depends_on, ...after].map((ref) => taskOf(view.ws.state, view.row.lid, uidOf(ref)))
  const first = named.find((task) => task !== null && task.type !== 'review') ?? null
  // A review of an improvement judges the work that was improved.
  return first?.type === 'improve' ? (judgedTask(view, first) ?? first) : first
}

function questionParts(subject: Task): PromptPart[] {
  const text = exchangeText(subject)
  return text === '' ? [] : [dataPart('task', 'questions of earlier attempts, and the answers of people', text)]
}

function noteParts(task: Task): PromptPart[] {
  const lines = plainNotes(task).map(({ at, by, text }) => `${at} ${by}: ${text}`)
  return [{ ...dataPart('task', `notes on ${task.id}, the newest last`, lines.join('\n')), isAside: true }]
}

/** The parent task, because the text of a part describes only its own share. */
function wholeParts(view: LedgerView, { parent }: Task): PromptPart[] {
  const whole = parent === undefined ? null : taskOf(view.ws.state, view.row.lid, uidOf(parent))
  if (whole === null || whole.deleted) return []
  return [dataPart('context', `task ${whole.id}, of which this one is a part`, taskText(whole))]
}

function tasksParts(view: LedgerView, subject: Task): PromptPart[] {
  const name = 'the tasks around it, titles only; only your own is yours to do'
  return [{ ...dataPart('tasks', name, promptTasks(view, subject)), isAside: true }]
}

function failureParts(view: LedgerView, subject: Task): PromptPart[] {
  const briefing = retryBriefing(subject, (base) => readRef(view.ws.repo, `refs/heads/${base}`))
  return briefing === null ? [] : [dataPart('failure', 'the last attempt, which failed', briefing)]
}

/** An aside: whether the base is red changes nothing about what is asked for. */
function baseParts(baseRed: string | null): PromptPart[] {
  const name = 'the checks on the base, which fail before any work of yours'
  return baseRed === null ? [] : [{ ...dataPart('failure', name, baseRed), isAside: true }]
}

/** A diff that is longer than this is cut in any case. */
const LONG_DIFF = 200_000

/** What a reviewer judges. */
function diffParts(repo: Repo, { commit, base, commits }: JudgedWork): PromptPart[] {
  if (commits !== undefined) return commitParts(repo, commits)
  const fork = tryGit(repo, ['merge-base', base, commit])
  // Work without common history is compared with the base itself, so that its diff is never empty.
  const from = fork.code === 0 ? fork.stdout.toString().trim() : base
  const read = (flags: string[], paths: string[] = []) =>
    runGit(repo, ['diff', ...PLAIN, ...flags, from, commit, '--', ...paths]).toString()
  const name = `diff of ${commit.slice(0, 12)} against ${base.slice(0, 12)}`
  const leftOut = read(['--name-only', '--no-renames', '-z'])
    .split('\0')
    .filter((path) => clientConfiguration(path) !== null)
  // First, because a long diff is cut, and these files are not in the reviewer's checkout.
  const configuration = leftOut.length === 0 ? '' : `${LEFT_OUT}\n${read(['--no-renames'], leftOut.map(literal))}\n`
  const text = configuration + read([], leftOut.map(excluded))
  const diff: PromptPart = { place: 'diff', name, text, form: 'data' }
  if (diff.text.length <= LONG_DIFF) return [diff]
  // The reviewer must know about every file, also of those that are cut.
  return [{ place: 'diff', name: `files of the ${name}`, text: read(['--stat=160']), form: 'data' }, diff]
}

/** The files of the work that its task does not name. The reviewer judges whether they are needed. */
function scopeParts(view: LedgerView, subject: Task, { commit, base, commits }: JudgedWork): PromptPart[] {
  const declared = declaredFiles(judgedTask(view, subject) ?? subject)
  if (declared.length === 0 || commits !== undefined) return []
  const changed = tryGit(view.ws.repo, ['diff', '--name-only', '--no-renames', '-z', `${base}...${commit}`, '--'])
  const outside = outsideScope(declared, changed.stdout.toString().split('\0').filter(Boolean))
  return outside.length === 0 ? [] : [dataPart('diff', OUTSIDE, outside.join('\n'))]
}

const OUTSIDE = 'changed files that the task does not name: judge whether each of these changes is needed'

/** Where the work makes checks see less. The reviewer judges whether the task asks for it. */
function weakenedParts(repo: Repo, { commit, base, commits }: JudgedWork, verify: PromptPlace['verify']): PromptPart[] {
  if (commits !== undefined) return []
  const fork = tryGit(repo, ['merge-base', base, commit])
  const from = fork.code === 0 ? fork.stdout.toString().trim() : base
  const found = readWeakenedNow(repo, { from, to: commit, commands: [verify.command, verify.test_command] })
  if (found.length === 0) return []
  const lines = found.slice(0, MOST_WEAKENED).map(weakeningText)
  const rest = found.length > lines.length ? [`and ${found.length - lines.length} more`] : []
  return [dataPart('diff', WEAKENED, [...lines, ...rest].join('\n'))]
}

const MOST_WEAKENED = 50
const WEAKENED = 'places where the change seems to make checks see less: judge whether the task asks for each of them'

/** Commits that do not follow each other, one after another. */
function commitParts(repo: Repo, commits: readonly string[]): PromptPart[] {
  const read = (...flags: string[]) => runGit(repo, ['show', ...PLAIN, ...flags, ...commits, '--']).toString()
  const name = `diff of ${plural(commits.length, 'commit')}, the oldest first`
  const diff: PromptPart = { place: 'diff', name, text: read('--format=commit %H%n%n    %s%n'), form: 'data' }
  if (diff.text.length <= LONG_DIFF) return [diff]
  return [
    { place: 'diff', name: `files of the ${name}`, text: read('--format=%h %s', '--stat=160'), form: 'data' },
    diff,
  ]
}

const LEFT_OUT =
  'The first files below are not in the checkout, because a client would run them. Judge them by this diff.'

const literal = (path: string) => `:(top,literal)${path}`
const excluded = (path: string) => `:(top,literal,exclude)${path}`

const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--submodule=short']

function dataPart(place: PromptPart['place'], name: string, text: string): PromptPart {
  return { place, name, text, form: 'data' }
}
