import { expect } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { testRows } from '../client-test.ts'
import type { Client } from '../clients.ts'
import { strongestPair } from '../pairs.ts'
import { expectResumed } from './sessions.ts'

/** The session is kept below the home folder, beside what it tries to write there. */
export function testStrict(client: Client): void {
  testRows(client, ['strict'], async () => {
    const { repo, show } = await expectResumed({ ...client, isStrict: true }, 'touch "$HOME/planted"')
    expect(existsSync(join(String(repo.env.HOME), 'planted'))).toBe(false)
    const { level } = client.pair ?? strongestPair()
    expect(show(1).runs.map(({ isolation }) => isolation)).toEqual([level, level])
  })
}
