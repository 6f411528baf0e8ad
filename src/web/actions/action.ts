import { z } from 'zod'
import type { Workspace } from '../../workspace/workspace.ts'
import type { StartedCommand } from '../host.ts'

/** Something that a person can do in the page: one file for each, over one use case. */
export interface Action<Input = unknown> {
  name: string
  input: z.ZodType<Input>
  act(ws: Workspace, input: Input, run: RunCommand): unknown
}

/** Starts gza in the repository as a process of its own. */
export type RunCommand = (args: readonly string[]) => Promise<StartedCommand>

export function defineAction<Shape extends z.ZodRawShape>(action: {
  name: string
  input: Shape
  act(ws: Workspace, input: z.infer<z.ZodObject<Shape>>, run: RunCommand): unknown
}): Action {
  return { ...action, input: z.strictObject(action.input) as z.ZodType, act: action.act as Action['act'] }
}

/** The name of a task, as the server gave it. */
export const ref = z.string().min(1).max(100)
/** What the server gave with a task, to name what was shown of it. */
export const version = z.string().max(40)
export const text = z.string().min(1).max(200_000)
/** A commit as the server gave it. */
export const ledgerCommit = z.string().regex(/^[0-9a-f]{40,64}$/)
const word = z.string().max(200).optional()
const refs = z.array(ref).max(100).optional()
const texts = z.array(z.string().max(2000)).max(100).optional()

/** The fields of a task that can be set when it is filed and later. */
export const fields = {
  ...{ title: z.string().max(500).optional(), priority: word, group: word, milestone_id: word, key: word },
  ...{ type: z.string().max(40).optional(), assigned_agent: word },
  ...{ after: refs, depends_on: refs, based_on: refs, acceptance_criteria: texts },
  ...{ files_to_create: texts, files_to_modify: texts, test_files: texts },
}
