import { z } from 'zod'
import { useWorkspace, type WorkspaceOptions } from '../../workspace/workspace.ts'
import { type Refusal, refusal } from '../check-request.ts'
import type { StartedCommands } from '../host.ts'
import { jsonResponse, refuse, valueWithWarnings } from '../respond.ts'
import { type Action, ref, version } from './action.ts'

/** Each is loaded when it is first asked for. */
const ALL: Readonly<Record<string, () => Promise<{ default: Action }>>> = {
  add: () => import('./add.ts'),
  edit: () => import('./edit.ts'),
  assign: () => import('./assign.ts'),
  start: () => import('./start.ts'),
  several: () => import('./several.ts'),
  stop: () => import('./stop.ts'),
  undo: () => import('./undo.ts'),
  redo: () => import('./redo.ts'),
  'lift-pause': () => import('./lift-pause.ts'),
  note: () => import('./note.ts'),
  answer: () => import('./answer.ts'),
  resolve: () => import('./resolve.ts'),
  review: () => import('./review.ts'),
}

/** What an action needs of the server. */
interface Acting {
  env: WorkspaceOptions['env']
  readOnly: boolean
  commands: Pick<StartedCommands, 'start'>
  events: { changed(id: string): void }
}

/** `expected`: what the person saw of the task. It is compared inside the change itself. */
export async function performAction(
  served: Acting,
  { id, folder }: { id: string; folder: string },
  name: string,
  body: unknown,
): Promise<Response> {
  if (served.readOnly) return refuse(refusal(403, 'READ_ONLY', 'This server was started with --read-only'))
  const action = await findAction(name)
  if (action === null) return refuse(NO_SUCH_ACTION)
  const { expected: named, ...given } = body as { expected?: unknown }
  const [expected, input] = [EXPECTED.safeParse(named), action.input.safeParse(given)]
  if (!expected.success) return refuse(badInput(expected.error.issues))
  if (!input.success) return refuse(badInput(input.error.issues))
  const ended = () => served.events.changed(id)
  const run = (args: readonly string[]) => served.commands.start({ id, cwd: folder, args, ended })
  const options = { cwd: folder, env: served.env, runsOnce: true, expected: expected.data }
  return jsonResponse(
    await useWorkspace(options, async (ws) => valueWithWarnings(ws, await action.act(ws, input.data, run))),
  )
}

const EXPECTED = z.strictObject({ ref, version }).optional()

function badInput(issues: readonly { path: PropertyKey[]; message: string }[]): Refusal {
  const problems = issues.slice(0, 3).map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
  return refusal(400, 'BAD_INPUT', problems.join('; '))
}

const NO_SUCH_ACTION = refusal(404, 'NO_SUCH_ACTION', 'The page has no such action')

async function findAction(name: string): Promise<Action | null> {
  return Object.hasOwn(ALL, name) ? ((await ALL[name]?.())?.default ?? null) : null
}
