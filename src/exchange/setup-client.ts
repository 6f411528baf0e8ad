/**
 * Puts `gza context` where a client reads it at the start of a session, or gza among the servers that it starts, and
 * removes it again.
 */
import { dirname, isAbsolute, join, sep } from 'node:path'
import { AGENT_GUIDE } from '../core/client-setup/agent-guide.ts'
import { lineDiff } from '../core/client-setup/line-diff.ts'
import { type Edited, putBlock, takeBlock } from '../core/client-setup/marked-block.ts'
import { putHook, type SessionHook, takeHook } from '../core/client-setup/session-hook.ts'
import { oneOf } from '../core/one-of.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { UserError } from '../core/user-error.ts'
import {
  findProgram,
  followLinks,
  isUtf8File,
  readTextIfThere,
  removeEmptyFolder,
  removeFile,
  writeText,
} from '../platform/files/files.ts'
import { refuseForbidden } from '../platform/files/refuse-forbidden.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { mcpPlace } from './mcp-places.ts'
import { rememberBefore, textBefore } from './setup-memory.ts'

/** What would change, for a person to check first. The shape is public. */
export interface SetupPlan {
  client: string
  path: string
  /**
   * `request`: the file only asks the model to run gza context, and the model may not do it. `server`: the client starts
   * the server for agents.
   */
  kind: 'hook' | 'request' | 'server'
  action: 'none' | 'create' | 'change' | 'delete'
  diff: string[]
  applied: boolean
}

// A user without gza must still be able to start a session: a failing hook must stay silent.
const COMMAND = 'gza context --hook 2>/dev/null || true'

interface Place {
  path: string
  kind: SetupPlan['kind']
  put(text: string): Edited
  take(text: string): Edited
  /** What a person can do if the file cannot be changed. */
  byHand: string
}

const HOOK_BY_HAND = `Add it by hand, as a SessionStart hook: ${COMMAND}`

const PLACES = {
  claude: hookIn('.claude/settings.json', { command: COMMAND }),
  codex: blockIn('AGENTS.md'),
  opencode: blockIn('AGENTS.md'),
  gemini: hookIn('.gemini/settings.json', { name: 'gza', command: COMMAND }),
  qwen: hookIn('.qwen/settings.json', { name: 'gza', command: COMMAND }),
  copilot: blockIn('.github/copilot-instructions.md'),
} satisfies Record<string, Place>

const CLIENTS = Object.keys(PLACES) as (keyof typeof PLACES)[]

function hookIn(path: string, hook: SessionHook): Place {
  return { path, kind: 'hook', put: (text) => putHook(text, hook), take: takeHook, byHand: HOOK_BY_HAND }
}

function blockIn(path: string): Place {
  const byHand = 'Correct it by hand, then run the command again.'
  return { path, kind: 'request', put: (text) => putBlock(text, AGENT_GUIDE), take: takeBlock, byHand }
}

export interface SetupOptions {
  remove?: boolean
  /** Make the change, and do not only show it. */
  apply?: boolean
  /** The server for agents, in the person's own file or in one of this project. */
  mcp?: 'user' | 'project'
}

export function setupClient(ws: Workspace, name: string, options: SetupOptions): SetupPlan {
  const { remove = false, apply = false, mcp } = options
  assertAllowed('setup', ws.actor)
  const client = oneOf('client for setup', name, CLIENTS)
  const place: Place = mcp === undefined ? PLACES[client] : serverIn(ws, client, mcp)
  if (mcp !== undefined && !remove) warnIfNotFound(ws)
  const file = placeOf(ws, place.path)
  const before = refuseForbidden(place.path, 'read', () => readTextIfThere(file))
  if (before !== null && !isUtf8File(file)) throw unchangeable(place, 'it is not UTF-8 text')
  const after = remove ? textWithout(ws, place, before) : textWith(place, before)
  if (typeof after === 'object' && after !== null) throw unchangeable(place, after.why)
  const plan = planOf(before, after)
  const shown = {
    client,
    path: place.path,
    kind: place.kind,
    action: plan,
    diff: lineDiff(before ?? '', after ?? '', place.path),
  }
  if (!apply || plan === 'none') return { ...shown, applied: false }
  refuseForbidden(place.path, 'written', () => {
    if (after === null) removeMade(ws, file, place)
    else writeText(file, after)
  })
  rememberBefore(ws, place.path, remove ? null : textsLostByRemoval(place, before, after as string))
  return { ...shown, applied: true }
}

function textWith(place: Place, before: string | null): string | { why: string } {
  const edited = place.put(before ?? '')
  return 'why' in edited ? edited : edited.text
}

/**
 * Null: a file that gza created is removed completely. A file that existed before stays, however little it contained.
 */
function textWithout(ws: Workspace, place: Place, now: string | null): string | null | { why: string } {
  if (now === null) return null
  const known = textBefore(ws, place.path, now)
  if (known !== null) return known
  const edited = place.take(now)
  if ('why' in edited) return edited
  return edited.text === '' && now !== '' ? null : edited.text
}

/** Removing gza's part restores any text except an almost empty one, such as `{}`: that must be kept. */
function textsLostByRemoval(
  place: Place,
  before: string | null,
  after: string,
): { before: string; after: string } | null {
  if (before === null) return null
  const isOursAlready = isChange(place.take(before), before)
  const isLost = isChange(place.take(after), before) || before === ''
  return isLost && !isOursAlready ? { before, after } : null
}

function isChange(edited: Edited, from: string): boolean {
  return !('why' in edited) && edited.text !== from
}

/** With the folder that was made for it, if it is otherwise empty. Folders of a person's own settings stay. */
function removeMade({ repo }: Workspace, file: string, { path }: Place): void {
  removeFile(file)
  if (isAbsolute(path)) return
  const folder = dirname(file)
  if (folder !== (followLinks(repo.workTree ?? '') ?? repo.workTree)) removeEmptyFolder(folder)
}

function planOf(before: string | null, after: string | null): SetupPlan['action'] {
  if (before === after) return 'none'
  if (before === null) return 'create'
  return after === null ? 'delete' : 'change'
}

function serverIn({ repo, env }: Workspace, client: keyof typeof PLACES, where: 'user' | 'project'): Place {
  return { kind: 'server', ...mcpPlace(client, { env, project: where === 'user' ? null : (repo.workTree ?? '') }) }
}

function warnIfNotFound({ env, warnings }: Workspace): void {
  if (findProgram('gza', env.PATH ?? '') === null)
    warnings.push('gza is not on your PATH, so the client will not find it')
}

/**
 * A person's own file may be a link. In a repository it may lead to a file that other repositories share: only files of
 * this repository are written.
 */
function placeOf({ repo }: Workspace, path: string): string {
  if (isAbsolute(path)) return followLinks(path) ?? path
  if (repo.workTree === null)
    throw new UserError('NO_WORK_TREE', 'A bare repository has no files', { hint: 'Run it in a checkout.' })
  const top = followLinks(repo.workTree) ?? repo.workTree
  const file = followLinks(join(top, path))
  if (file?.startsWith(top + sep)) return file
  const where = file === null ? 'nowhere' : 'out of this repository'
  throw new UserError('OUTSIDE_FILE', `${path} is a link that leads ${where}`, {
    hint: 'Nothing was changed. Replace it with a real file.',
  })
}

function unchangeable({ path, byHand }: Place, why: string): UserError {
  return new UserError('UNCHANGEABLE_FILE', `${path} cannot be changed safely: ${why}`, {
    hint: `Nothing was changed. ${byHand}`,
  })
}
