import type { Database } from 'bun:sqlite'
import { fileExists } from '../../platform/files.ts'
import { LIVE_VERSIONS } from './live-schema.ts'
import { openVersioned } from './open-versioned.ts'

export type Live = Database

/** Opens the store of leases and runs. A worker's last write before a power cut must be there after it. */
export function openLive(path: string): Live {
  return openVersioned(path, LIVE_VERSIONS)
}

/** For reading: nothing is made where no worker ever was. */
export function openLiveIfThere(path: string): Live | null {
  return fileExists(path) ? openLive(path) : null
}
