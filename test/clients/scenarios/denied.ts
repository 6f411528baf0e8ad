import { expect } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { aClientScenario } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import { type Client, writeBelow } from '../clients.ts'
import type { Habits } from '../habits.ts'
import { expectNothingLeft } from './nothing-left.ts'

const CALL = 'touch ../denied.txt'

export function testDenied(client: Client, { deny }: Habits): void {
  testRows(client, ['denied'], async () => {
    const script = { turns: [{ run: CALL }], closing: 'It is not possible.' }
    const scenario = aClientScenario(client, script, `defaults: {max_attempts: 2}\nretry: {backoff_seconds: 0}\n`)
    for (const [path, text] of Object.entries(deny)) writeBelow(String(scenario.repo.env.HOME), path, text)
    scenario.add('Make a file')
    await scenario.work('1')
    const { status, runs } = scenario.show(1)
    expect({ status, reasons: runs.map(({ reason }) => reason) }).toEqual({
      status: 'failed',
      reasons: ['no-changes', 'no-changes'],
    })
    expect(existsSync(join(scenario.root, 'denied.txt'))).toBe(false)
    const isNamed = (text: string, mark: string) =>
      text.split(/\n|\\n/).some((line) => line.includes(mark) && line.includes(CALL))
    expect(isNamed(scenario.repo.gza('logs', '1').stdout, 'denied: ')).toBe(true)
    expect(isNamed(scenario.requests().join('\n'), 'The client denied a call: ')).toBe(true)
    expectNothingLeft(scenario)
  })
}
