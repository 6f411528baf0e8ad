import { z } from 'zod'
import { UserError } from '../../core/user-error.ts'
import {
  CREATE_ISSUE,
  CREATE_LABEL,
  CREATE_MILESTONE,
  CREATE_PROJECT,
  CREATE_RELATION,
  UPDATE_ISSUE,
} from './documents.ts'
import { type Linear, LinearRefusal } from './linear-client.ts'
import { hasLabel, readIssues, readProjects } from './read-linear.ts'
import type { SyncPlan } from './sync-plan.ts'
import type { SyncTask } from './sync-task.ts'

export interface MadeIssue {
  id: string
  identifier: string
  url: string
}

export interface Applied {
  created: Map<string, MadeIssue>
  /** Tasks with something that could not be sent, because what it names was refused. */
  partly: Set<string>
  updated: Set<string>
  related: number
  failed: { task: SyncTask | null; what: string; why: string }[]
  /** Why the remaining steps were not tried: no answer, no more requests, no key. */
  stopped: UserError | null
}

/** Performs the steps one after the other. What Linear refuses is recorded and the others continue; silence ends it. */
export async function applySync(linear: Linear, plan: SyncPlan): Promise<Applied> {
  const done: Applied = { ...NOTHING, created: new Map(), partly: new Set(), updated: new Set(), failed: [] }
  const refused = new Set<string>()
  try {
    await createContainers(linear, plan, done, refused)
    for (const { task, input } of plan.creates) {
      const isMade = await attempt(done, task, 'create', async () => {
        done.created.set(
          task.uid,
          await createIssue(
            linear,
            without(input, refused, () => done.partly.add(task.uid)),
          ),
        )
      })
      if (!isMade) refused.add(String(input.id))
    }
    for (const { task, issue, input } of plan.updates)
      await attempt(done, task, 'update', async () => {
        const granted = without(input, refused, () => done.partly.add(task.uid))
        await linear.ask(UPDATE_ISSUE, { id: issue.id, input: granted })
        done.updated.add(task.uid)
      })
    for (const { task, input } of plan.relations.filter(({ input }) => !namesAny(input, refused)))
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

const NOTHING = { related: 0, stopped: null }

type Input = Record<string, unknown>

async function createContainers(linear: Linear, plan: SyncPlan, done: Applied, refused: Set<string>): Promise<void> {
  const make = async (what: string, document: string, input: Input, isThere: () => Promise<boolean>) => {
    const work = () => orFound(linear.ask(document, { input }), isThere)
    if (!(await attempt(done, null, what, work))) refused.add(String(input.id))
  }
  for (const { name, input } of plan.labels)
    await make(`label ${name}`, CREATE_LABEL, input, () => hasLabel(linear, String(input.id)))
  for (const { name, input } of plan.projects)
    await make(`project ${name}`, CREATE_PROJECT, input, async () => {
      return (await readProjects(linear, [String(input.id)])).length > 0
    })
  for (const { name, input } of plan.milestones)
    await make(`milestone ${name}`, CREATE_MILESTONE, input, async () => {
      const [project] = await readProjects(linear, [String(input.projectId)])
      return project?.milestones.includes(String(input.id)) ?? false
    })
}

/**
 * A request that timed out may have reached Linear: then the thing exists, and Linear refuses a second one with that
 * id.
 */
async function orFound(asked: Promise<unknown>, isThere: () => Promise<boolean>): Promise<void> {
  try {
    await asked
  } catch (error) {
    if (!(error instanceof LinearRefusal) || !(await isThere())) throw error
  }
}

/** The input without what was refused: a missing label must not prevent the issue. */
function without(input: Input, refused: ReadonlySet<string>, onLoss: () => void): Input {
  if (!namesAny(input, refused)) return input
  onLoss()
  const entries = Object.entries(input).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.filter((id) => !refused.has(id)) : value,
  ])
  return Object.fromEntries(entries.filter(([, value]) => !refused.has(String(value))))
}

function namesAny(input: Input, ids: ReadonlySet<string>): boolean {
  return Object.values(input).some((value) => [value].flat().some((id) => ids.has(String(id))))
}

async function attempt(
  done: Applied,
  task: SyncTask | null,
  what: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof LinearRefusal)) throw error
    done.failed.push({ task, what, why: error.message })
    return false
  }
}

const createAnswer = z.object({
  issueCreate: z.object({ issue: z.object({ id: z.string(), identifier: z.string(), url: z.string() }) }),
})

/** Like the others; an existing issue is also named by its identifier. */
async function createIssue(linear: Linear, input: Input): Promise<MadeIssue> {
  try {
    return createAnswer.parse(await linear.ask(CREATE_ISSUE, { input })).issueCreate.issue
  } catch (error) {
    if (!(error instanceof LinearRefusal)) throw error
    const [made] = await readIssues(linear, [String(input.id)])
    if (made === undefined) throw error
    return { id: made.id, identifier: made.identifier, url: made.url }
  }
}

function createRelation(linear: Linear, input: Input): Promise<void> {
  return orFound(linear.ask(CREATE_RELATION, { input }), async () => {
    const [blocked] = await readIssues(linear, [String(input.relatedIssueId)])
    return blocked?.blockers.includes(String(input.issueId)) ?? false
  })
}
