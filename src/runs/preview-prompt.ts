import type { Config } from '../core/config/settings.ts'
import { estimateTokens, type Prompt } from '../core/documents/fit-prompt.ts'
import { countedPhases, lastReview, type PhaseStep, reviewsDone } from '../core/run/review-cycles.ts'
import { command } from '../core/sentence.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { readRef } from '../platform/git/refs.ts'
import { loadConfiguration } from '../workspace/config/configuration.ts'
import { findTask, type LedgerView, numberOf } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { agentNow } from './choose-agent.ts'
import { branchFor, planRun, taskPrompt } from './plan-run.ts'
import { inTreePrompt } from './prompt/in-tree-prompt.ts'
import { describePhase } from './review/plan-review.ts'

/** `work`: what `gza work` gives first; `run`: what `git tasks run` gives; the others are phases of a review cycle. */
export type PreviewedPhase = 'work' | 'review' | 'improve' | 'run'

/** The shape is public. */
export interface PromptPreview {
  id: string
  number: number
  phase: PreviewedPhase
  agent: string
  /** Estimated: four characters are counted as one. */
  estimated_tokens: number
  parts: { name: string; estimated_tokens: number; estimated_tokens_uncut: number }[]
  prompt: string
}

/** Exactly what an agent would get now. Nothing is started or written. */
export async function previewPrompt(ws: Workspace, ref: string, phase: PreviewedPhase): Promise<PromptPreview> {
  const config = await loadConfiguration(ws)
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const { prompt, agent } = await promptFor(view, config, task, phase)
  const { text, parts } = prompt
  return {
    ...{ id: task.id, number: numberOf(view, task), phase, agent, estimated_tokens: estimateTokens(text) },
    parts: parts.map(({ name, tokens, whole }) => ({ name, estimated_tokens: tokens, estimated_tokens_uncut: whole })),
    prompt: text,
  }
}

interface Previewed {
  prompt: Pick<Prompt, 'text' | 'parts'>
  agent: string
}

async function promptFor(view: LedgerView, config: Config, task: Task, phase: PreviewedPhase): Promise<Previewed> {
  const { agent } = agentNow(view.ws, config, task, {})
  if (phase === 'run') return { prompt: inTree(task), agent: agent.name }
  const branch = branchFor(view, task)
  if (phase === 'work') {
    const prompt = taskPrompt(view, config, task, { branch })
    return { prompt, agent: agent.name }
  }
  const tip = branch === null ? null : readRef(view.ws.repo, `refs/heads/${branch}`)
  if (tip === null) throw nothingToReview(task)
  const plan = planRun(view, config, task, { run: '', agent, branch, path: null })
  const { prompt, worker } = describePhase(view, config, plan, { step: stepOf(task, phase), tip })
  return { prompt, agent: worker.agent.name }
}

function inTree(task: Task): Previewed['prompt'] {
  const text = inTreePrompt(task)
  const tokens = estimateTokens(text)
  return { text, parts: [{ name: 'instructions and task', tokens, whole: tokens }] }
}

function stepOf(task: Task, phase: 'review' | 'improve'): PhaseStep {
  const phases = countedPhases(task)
  if (phase === 'review') return { do: 'review', cycle: reviewsDone(phases) + 1 }
  const review = lastReview(phases)
  if (review === null)
    throw new UserError('NO_REVIEW', `Task #${task.number} has no review of its own to improve after`, {
      hint: command`prompt ${task.number} --phase review`,
    })
  return { do: 'improve', cycle: review.cycle, review }
}

function nothingToReview(task: Task): UserError {
  return new UserError('NOTHING_TO_REVIEW', `Task #${task.number} has no branch with work yet`, {
    hint: command`prompt ${task.number}`,
  })
}
