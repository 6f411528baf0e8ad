import { type WatchState, watchReader } from '../../../reports/watch-state.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderScreen, renderWatch } from '../../render/watch/watch.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { openFullScreen } from '../../terminal/full-screen.ts'
import { printResult } from '../../terminal/print.ts'

const REFRESH_MS = 500

export default async function watch(this: Face, flags: GlobalFlags): Promise<void> {
  const read = watchReader()
  const display = () => inWorkspace(this, flags, read)
  const state = await display()
  const isScreen = !flags.json && this.display.width !== null && this.env.TERM !== 'dumb'
  if (isScreen) await showScreen(this, state, display)
  else printResult(this, flags, state, renderWatch(state, this.display, Date.now()))
}

async function showScreen(face: Face, first: WatchState, display: () => Promise<WatchState>): Promise<void> {
  let state = first
  const screen = openFullScreen(face.out, () => draw())
  const draw = () => screen.draw(renderScreen(state, face.display, screen.size(), Date.now()))
  let isOver = false
  screen.left.then(() => {
    isOver = true
  })
  try {
    while (!isOver) {
      draw()
      await Promise.race([screen.left, Bun.sleep(REFRESH_MS)])
      // What each look warns of is the same: the last one's is enough.
      face.warnings.length = 0
      state = await display()
    }
  } finally {
    screen.close()
  }
}
