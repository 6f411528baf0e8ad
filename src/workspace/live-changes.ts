import { type Live, openLiveIfThere } from '../state/live/open-live.ts'
import { versionOfContents } from '../state/open-versioned.ts'

/** Tells whether somebody has written to the store of leases and runs since it was last asked. */
export function openLiveChanges(livePath: string): { hasChanged(): boolean; close(): void } {
  let live: Live | null = null
  let seen = -1
  return {
    hasChanged() {
      live ??= openLiveIfThere(livePath)
      if (live === null) return false
      const version = versionOfContents(live)
      const changed = seen !== version
      seen = version
      return changed
    },
    close() {
      live?.close()
      live = null
    },
  }
}
