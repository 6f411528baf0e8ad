import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes a folder that an agent could write, with everything in it; links are removed and not followed. An agent may
 * have made folders unwritable. False: something is still there.
 */
export function removeBelow(folder: string): boolean {
  if (tryRemove(folder)) return true
  makeWritable(folder)
  return tryRemove(folder)
}

/** The same beside other work: a disk may take a millisecond for each file. */
export async function removeBelowAsync(folder: string): Promise<boolean> {
  try {
    await rm(folder, { recursive: true, force: true })
    return true
  } catch {
    return removeBelow(folder)
  }
}

function tryRemove(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true })
    return true
  } catch {
    return false
  }
}

function makeWritable(folder: string): void {
  try {
    if (!lstatSync(folder).isDirectory()) return
    chmodSync(folder, 0o700)
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) makeWritable(join(folder, entry.name))
  } catch {
    // It belongs to somebody else. The second attempt shows it.
  }
}
