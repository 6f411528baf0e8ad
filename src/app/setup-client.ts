/** Puts `gza context` where a client looks at the start of a session, and takes it out again. */
import { dirname, join, sep } from 'node:path'
import { assertAllowed } from '../core/agent-mode.ts'
import { lineDiff } from '../core/setup/line-diff.ts'
import { type Edited, putBlock, takeBlock } from '../core/setup/marked-block.ts'
import { putHook, type SessionHook, takeHook } from '../core/setup/session-hook.ts'
import { UserError } from '../core/user-error.ts'
import { followLinks, readTextIfThere, removeEmptyFolder, removeFile, writeText } from '../platform/files.ts'
import { refuseForbidden } from '../platform/refuse-forbidden.ts'
import { oneOf } from './field-input.ts'
import type { Workspace } from './workspace.ts'

/** What would change, for a person to look at first. The shape is public. */
export interface SetupPlan {
  client: string
  path: string
  action: 'none' | 'create' | 'change' | 'delete'
  diff: string[]
  applied: boolean
}

// Whoever has no gza still has a session: a failing hook must not be heard of.
const COMMAND = 'gza context --hook 2>/dev/null || true'

const BLOCK = `## Tasks

The tasks of this repository are kept in git by gza. Begin every session with \`gza context\`: it prints the tasks around the
work and where it stands. \`gza claim ID\` takes a task, \`gza note ID "…"\` leaves what was learnt, \`gza done ID\` closes it.
`

interface Place {
  path: string
  put(text: string): Edited
  take(text: string): Edited
}

const PLACES = {
  claude: hookIn('.claude/settings.json', { command: COMMAND }),
  codex: blockIn('AGENTS.md'),
  opencode: blockIn('AGENTS.md'),
  gemini: hookIn('.gemini/settings.json', { name: 'gza', command: COMMAND }),
  copilot: blockIn('.github/copilot-instructions.md'),
} satisfies Record<string, Place>

const CLIENTS = Object.keys(PLACES) as (keyof typeof PLACES)[]

function hookIn(path: string, hook: SessionHook): Place {
  return { path, put: (text) => putHook(text, hook), take: takeHook }
}

function blockIn(path: string): Place {
  return { path, put: (text) => putBlock(text, BLOCK), take: takeBlock }
}

export interface SetupOptions {
  remove?: boolean
  /** Make the change, and not only show it. */
  apply?: boolean
}

export function setupClient(ws: Workspace, name: string, { remove = false, apply = false }: SetupOptions): SetupPlan {
  assertAllowed('setup', ws.actor)
  const client = oneOf('client that can be set up', name, CLIENTS)
  const place: Place = PLACES[client]
  const file = placeOf(ws, place.path)
  const before = refuseForbidden(place.path, 'read', () => readTextIfThere(file))
  const edited = remove ? place.take(before ?? '') : place.put(before ?? '')
  if ('why' in edited) throw unchangeable(place.path, edited.why, client)
  const plan = planOf(before, edited.text)
  const shown = { client, path: place.path, action: plan, diff: lineDiff(before ?? '', edited.text, place.path) }
  if (!apply || plan === 'none') return { ...shown, applied: false }
  refuseForbidden(place.path, 'written', () => {
    if (plan === 'delete') removeMade(ws, file)
    else writeText(file, edited.text)
  })
  return { ...shown, applied: true }
}

/** With the folder that was made for it, where nothing else is in it. */
function removeMade({ repo }: Workspace, file: string): void {
  removeFile(file)
  const folder = dirname(file)
  if (folder !== (followLinks(repo.workTree ?? '') ?? repo.workTree)) removeEmptyFolder(folder)
}

function planOf(before: string | null, after: string): SetupPlan['action'] {
  if ((before ?? '') === after) return 'none'
  if (before === null) return 'create'
  return after === '' ? 'delete' : 'change'
}

/** A link may lead to a file that other repositories share: only what is this one's is written. */
function placeOf({ repo }: Workspace, path: string): string {
  if (repo.workTree === null)
    throw new UserError('NO_WORK_TREE', 'A bare repository has no files', { hint: 'Run it in a checkout.' })
  const top = followLinks(repo.workTree) ?? repo.workTree
  const file = followLinks(join(top, path))
  if (file?.startsWith(top + sep)) return file
  throw new UserError('OUTSIDE_FILE', `${path} is a link that leads out of this repository`, {
    hint: 'Nothing was changed. Put a file of its own in its place.',
  })
}

function unchangeable(path: string, why: string, client: keyof typeof PLACES): UserError {
  const byHand = PLACES[client].path.endsWith('.json')
    ? `Add it by hand, as a SessionStart hook: ${COMMAND}`
    : 'Mend it by hand, then run the command again.'
  return new UserError('UNCHANGEABLE_FILE', `${path} cannot be changed safely: ${why}`, {
    hint: `Nothing was changed. ${byHand}`,
  })
}
