import { z } from 'zod'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { assertLandingUnchanged } from '../../landing/progress/landing-version.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { assertTrusted } from '../../workspace/config/trust-config.ts'
import { assertStillExpected, assertUnchanged } from '../../workspace/expected-version.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Expected, Workspace } from '../../workspace/workspace.ts'
import { defineAction, ref, version } from './action.ts'

/** The commands that run agents or land their work, as processes of their own: they continue without the page. */
const COMMANDS = ['work', 'retry', 'review', 'improve', 'merge'] as const

export default defineAction({
  name: 'start',
  input: {
    command: z.enum(COMMANDS),
    refs: z.array(ref).max(500),
    agent: z.string().min(1).max(100).optional(),
    workers: z.int().min(1).max(64).optional(),
    /** For `improve`: what to look at. */
    guide: z.string().max(20_000).optional(),
    /** What the person saw of the tasks: for `merge` of each of them, as the landing queue has it. */
    seen: z.array(z.strictObject({ ref, version })).max(500).optional(),
  },
  act: async (ws, { command, refs, agent, workers, guide, seen = [] }, run) => {
    assertAllowed(command === 'merge' ? 'merge' : 'work', ws.actor)
    await assertTrusted(ws, await loadConfiguration(ws))
    if (command === 'merge') await assertWorkSeen(ws, refs, seen)
    else for (const each of seen) assertUnchanged(readLedger(ws), each)
    assertStillExpected(ws)
    const flags = [
      ...(refs.length === 0 ? ['--all'] : []),
      ...(command === 'work' ? ['--wait'] : []),
      ...(agent === undefined ? [] : [`--agent=${agent}`]),
      ...(workers === undefined ? [] : [`--workers=${workers}`]),
    ]
    return run([command, ...flags, '--', ...refs, ...(guide?.trim() ? [guide] : [])])
  },
})

/** Nothing lands that nobody has looked at: "all" would include what has become ready since. */
async function assertWorkSeen(ws: Workspace, refs: readonly string[], seen: readonly Expected[]): Promise<void> {
  const known = new Set(seen.map((each) => each.ref))
  if (refs.length === 0 || !refs.every((each) => known.has(each)))
    throw new UserError('NOT_SEEN', 'A landing names its tasks, and what was seen of each of them', {
      hint: 'Nothing was done. Look at the landing queue, then decide.',
    })
  await assertLandingUnchanged(ws, seen)
}
