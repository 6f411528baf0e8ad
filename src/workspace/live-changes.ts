import { openLiveIfThere } from '../state/live/open-live.ts'
import { followStore, type StoreChanges } from '../state/open-versioned.ts'

/** Tells whether somebody has written to the store of leases and runs. */
export function openLiveChanges(livePath: string): StoreChanges {
  return followStore(() => openLiveIfThere(livePath))
}
