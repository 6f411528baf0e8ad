import { z } from 'zod'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { assertTrusted } from '../../workspace/config/trust-config.ts'
import { assertStillExpected } from '../../workspace/expected-version.ts'
import { defineAction, ref } from './action.ts'

/** The commands that run agents or land their work, as processes of their own: they go on without the page. */
const COMMANDS = ['work', 'retry', 'review', 'improve', 'merge'] as const

export default defineAction({
  name: 'start',
  input: {
    command: z.enum(COMMANDS),
    refs: z.array(ref).max(200),
    agent: z.string().min(1).max(100).optional(),
    workers: z.int().min(1).max(64).optional(),
    /** For `improve`: what to look at. */
    guide: z.string().max(20_000).optional(),
  },
  act: async (ws, { command, refs, agent, workers, guide }, run) => {
    assertAllowed(command === 'merge' ? 'merge' : 'work', ws.actor)
    await assertTrusted(ws, await loadConfiguration(ws))
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
