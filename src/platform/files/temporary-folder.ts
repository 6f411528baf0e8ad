import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty folder that whoever asked for it removes. Its real path: git names folders by that. */
export function makeTemporaryFolder(name: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)))
}
