import { type WatchState, watchReader } from '../../../reports/watch-state.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { inboxFields } from '../../render/watch/inbox.ts'
import { renderScreen, renderWatch } from '../../render/watch/watch.ts'
import { openFullScreen } from '../../terminal/full-screen.ts'
import { printResult } from '../../terminal/print.ts'

const REFRESH_MS = 500

export default async function watch(this: CallContext, flags: GlobalFlags): Promise<void> {
  const reader = watchReader()
  const read = () => inWorkspace(this, flags, reader)
  const state = await read()
  const isScreen = !flags.json && this.display.width !== null && this.env.TERM !== 'dumb'
  if (isScreen) await showScreen(this, state, read)
  else
    printResult(
      this,
      flags,
      flags.json ? await watchFields(this, flags, state) : null,
      renderWatch(state, this.display, this.clock()),
    )
}

/** Programs get whole tasks, as from `next --all`. */
async function watchFields(context: CallContext, flags: GlobalFlags, state: WatchState) {
  const { readyTaskViews } = await import('../../../workspace/views/ready-task-views.ts')
  const queue = await inWorkspace(context, flags, (ws) => {
    const { ready, blocked } = readyTaskViews(ws)
    return [...ready, ...blocked]
  })
  return { ...state, inbox: state.inbox.map(inboxFields), queue }
}

async function showScreen(context: CallContext, first: WatchState, read: () => Promise<WatchState>): Promise<void> {
  let state = first
  const screen = openFullScreen(context, () => draw())
  const draw = () => screen.draw(renderScreen(state, context.display, screen.size(), context.clock()))
  let isOver = false
  screen.left.then(() => {
    isOver = true
  })
  try {
    while (!isOver) {
      draw()
      await Promise.race([screen.left, Bun.sleep(REFRESH_MS)])
      // Each reading gives the same warnings: those of the last one are enough.
      context.warnings.length = 0
      state = await read()
    }
  } finally {
    screen.close()
  }
}
