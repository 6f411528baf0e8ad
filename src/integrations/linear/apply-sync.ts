import { z } from 'zod'
import { UserError } from '../../core/user-error.ts'
import { type Linear, LinearRefusal } from './client.ts'
import {
  CREATE_ISSUE,
  CREATE_LABEL,
  CREATE_MILESTONE,
  CREATE_PROJECT,
  CREATE_RELATION,
  UPDATE_ISSUE,
} from './documents.ts'
import type { SyncPlan } from './plan-sync.ts'
import { readIssues } from './read-linear.ts'
import type { SyncTask } from './sync-task.ts'

export interface MadeIssue {
  id: string
  identifier: string
  url: string
}

export interface Applied {
  created: Map<string, MadeIssue>
  updated: Set<string>
  related: number
  failed: { task: SyncTask | null; what: string; why: string }[]
  /** Why the rest was not tried: no answer, no more requests, no key. */
  stopped: UserError | null
}

/** Does the steps one after the other. What Linear refuses is noted and the rest goes on; silence ends it. */
export async function applySync(linear: Linear, plan: SyncPlan): Promise<Applied> {
  const done: Applied = { created: new Map(), updated: new Set(), related: 0, failed: [], stopped: null }
  try {
    await makeSurroundings(linear, plan, done)
    for (const { task, input } of plan.creates)
      await attempt(done, task, 'create', async () => {
        done.created.set(task.uid, await createIssue(linear, input))
      })
    for (const { task, issue, input } of plan.updates)
      await attempt(done, task, 'update', async () => {
        await linear.ask(UPDATE_ISSUE, { id: issue.id, input })
        done.updated.add(task.uid)
      })
    for (const { task, input } of plan.relations)
      await attempt(done, task, 'relate', async () => {
        await createRelation(linear, input)
        done.related++
      })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    done.stopped = error
  }
  return done
}

async function makeSurroundings(linear: Linear, plan: SyncPlan, done: Applied): Promise<void> {
  const kinds = [
    ['label', CREATE_LABEL, plan.labels],
    ['project', CREATE_PROJECT, plan.projects],
    ['milestone', CREATE_MILESTONE, plan.milestones],
  ] as const
  for (const [kind, document, things] of kinds)
    for (const { name, input } of things)
      await attempt(done, null, `${kind} ${name}`, () => linear.ask(document, { input }))
}

async function attempt(
  done: Applied,
  task: SyncTask | null,
  what: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof LinearRefusal)) throw error
    done.failed.push({ task, what, why: error.message })
  }
}

const createAnswer = z.object({
  issueCreate: z.object({ issue: z.object({ id: z.string(), identifier: z.string(), url: z.string() }) }),
})

/** A request that timed out may have been heard: then its issue is there, and Linear refuses the second of that id. */
async function createIssue(linear: Linear, input: Record<string, unknown>): Promise<MadeIssue> {
  try {
    return createAnswer.parse(await linear.ask(CREATE_ISSUE, { input })).issueCreate.issue
  } catch (error) {
    if (!(error instanceof LinearRefusal)) throw error
    const [made] = await readIssues(linear, [String(input.id)])
    if (made === undefined) throw error
    return { id: made.id, identifier: made.identifier, url: made.url }
  }
}

async function createRelation(linear: Linear, input: Record<string, unknown>): Promise<void> {
  try {
    await linear.ask(CREATE_RELATION, { input })
  } catch (error) {
    if (!(error instanceof LinearRefusal)) throw error
    const [blocked] = await readIssues(linear, [String(input.relatedIssueId)])
    if (!blocked?.blockers.includes(String(input.issueId))) throw error
  }
}
