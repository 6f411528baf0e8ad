import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty folder that the caller removes. Its real path, because git names folders by that. */
export function makeTemporaryFolder(name: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)))
}
