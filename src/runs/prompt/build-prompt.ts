import { basename, join } from 'node:path'
import { clip, dataBlock, fillPrompt, listBlock, taskBlocks, taskText } from '../../core/documents/prompt-text.ts'
import { retryBriefing } from '../../core/run/retry-briefing.ts'
import { countedPhases, lastReview } from '../../core/run/review-cycles.ts'
import { type Phase, type Task, type TaskType, uidOf } from '../../core/task/task.ts'
import { firstLine } from '../../core/text/first-line.ts'
import { readBlobs } from '../../ledger/read-blobs.ts'
import { runGit, tryGit } from '../../platform/git/git.ts'
import { readRef } from '../../platform/git/refs.ts'
import { artifactsOf } from '../../state/index/ledger-files.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { trustedText } from '../../workspace/config/trust-config.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readText, textsOf } from '../../workspace/texts/task-texts.ts'
import { promptTasks } from '../../workspace/views/read-context.ts'
import explore from './explore.md' with { type: 'text' }
import implement from './implement.md' with { type: 'text' }
import improve from './improve.md' with { type: 'text' }
import plan from './plan.md' with { type: 'text' }
import ralph from './ralph.md' with { type: 'text' }
import review from './review.md' with { type: 'text' }
import task from './task.md' with { type: 'text' }

type PromptName = TaskType | 'ralph'

const TEMPLATES: Record<PromptName, string> = { task, explore, plan, implement, review, improve, ralph }

export interface PromptPlace {
  /** The kind of prompt, if it is not that of the task's type. */
  as?: TaskType
  /** For an improvement within a review cycle: the review that it answers, and its number. */
  review?: string
  cycle?: number
  branch: string | null
  output: string | null
  /** For a review: the commit judged, and the base it is compared with. */
  judged: { commit: string; base: string } | null
  verifyHint: string
}

/** A longer diff would not fit into any client's context together with the rest. */
const DIFF_CHARACTERS = 400_000
const TEXT_CHARACTERS = 100_000

/** The whole prompt of one attempt. It contains texts of people and agents as data, with their origin. */
export function buildPrompt(view: LedgerView, subject: Task, place: PromptPlace): string {
  const briefing = retryBriefing(subject, (base) => readRef(view.ws.repo, `refs/heads/${base}`))
  return fillPrompt(promptTemplate(view, place.as ?? subject.type), {
    task_id: subject.id,
    branch: place.branch ?? '',
    output_path: place.output ?? '',
    commit: place.judged?.commit.slice(0, 12) ?? '',
    commit_message: `Address review feedback${place.cycle === undefined ? '' : ` (cycle ${place.cycle})`}`,
    verify_hint: place.verifyHint,
    ...taskBlocks(subject),
    plan: chainTexts(view, subject, 'plan'),
    review: place.review ?? reviewOf(view, subject),
    context: wholeOf(view, subject) + doneBefore(view, subject),
    tasks: tasksBlock(view, subject),
    diff: place.judged === null ? '' : diffBlock(view, place.judged),
    failure: briefing === null ? '' : dataBlock('the last attempt, which failed', clip(briefing, TEXT_CHARACTERS)),
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

/**
 * The review that an improve task answers: that of the review task it names, otherwise its predecessor's last review.
 */
function reviewOf(view: LedgerView, subject: Task): string {
  const [first] = subject.based_on
  const before = first && taskOf(view.ws.state, view.row.lid, uidOf(first))
  const last = before && lastReview(countedPhases(before))
  return chainTexts(view, subject, 'review') || (before && last ? reviewText(view, before, last) : '')
}

/** One review of a task's own review cycles. */
export function reviewText(view: LedgerView, task: Task, { artifact, cycle, agent }: Phase): string {
  const [found] = artifactsOf(view.ws.state, view.row.lid, `artifacts/${task.uid}/${basename(String(artifact))}`)
  const text = found === undefined ? '' : (readBlobs(view.ws.repo, [found.blob]).get(found.blob)?.toString() ?? '')
  return dataBlock(`review ${cycle} of task ${task.id}, by ${agent}`, clip(text, TEXT_CHARACTERS))
}

/** The texts of tasks of one type in the `based_on` chain, nearest first. */
function chainTexts(view: LedgerView, subject: Task, type: TaskType): string {
  return ancestors(view, subject)
    .filter((ancestor) => ancestor.type === type)
    .flatMap((ancestor) => {
      const text = textsOf(view, ancestor).at(-1)
      if (text === undefined) return []
      return [dataBlock(`${type} ${ancestor.id} (${text.name})`, clip(readText(view, text) ?? '', TEXT_CHARACTERS))]
    })
    .join('\n')
}

function ancestors(view: LedgerView, subject: Task): Task[] {
  const found = new Map<string, Task>()
  const queue = [...subject.based_on, ...subject.depends_on, ...subject.after]
  for (let ref = queue.shift(); ref !== undefined; ref = queue.shift()) {
    const ancestor = taskOf(view.ws.state, view.row.lid, uidOf(ref))
    if (ancestor === null || found.has(ancestor.uid)) continue
    found.set(ancestor.uid, ancestor)
    queue.push(...ancestor.based_on, ...ancestor.depends_on, ...ancestor.after)
  }
  return [...found.values()]
}

/** The parent task, because the text of a part describes only its own share. */
function wholeOf(view: LedgerView, { parent }: Task): string {
  const whole = parent === undefined ? null : taskOf(view.ws.state, view.row.lid, uidOf(parent))
  if (whole === null || whole.deleted) return ''
  return dataBlock(`task ${whole.id}, of which this one is a part`, clip(taskText(whole), TEXT_CHARACTERS))
}

function doneBefore(view: LedgerView, subject: Task): string {
  const done = ancestors(view, subject).filter((ancestor) => ancestor.status === 'completed')
  return listBlock(
    'Finished before it:',
    done.map((ancestor) => `${ancestor.id}: ${firstLine(ancestor.content)}`),
  )
}

function tasksBlock(view: LedgerView, subject: Task): string {
  const markdown = promptTasks(view, subject)
  return markdown === '' ? '' : dataBlock('the tasks around it, titles only; only your own is yours to do', markdown)
}

function diffBlock(view: LedgerView, { commit, base }: { commit: string; base: string }): string {
  const { repo } = view.ws
  const fork = tryGit(repo, ['merge-base', base, commit])
  // Work without common history is compared with the base itself, so that its diff is never empty.
  const from = fork.code === 0 ? fork.stdout.toString().trim() : base
  const read = (...flags: string[]) => runGit(repo, ['diff', ...PLAIN, ...flags, from, commit, '--']).toString()
  const diff = read()
  // A long diff is cut, so list all files: the reviewer must know about the rest.
  const files = diff.length > DIFF_CHARACTERS ? `${clip(read('--stat=160'), TEXT_CHARACTERS)}\n` : ''
  return dataBlock(`diff of ${commit.slice(0, 12)} against ${base.slice(0, 12)}`, files + clip(diff, DIFF_CHARACTERS))
}

const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--submodule=short']
