import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installedClients } from './install-clients.ts'
import { readTally } from './read-tally.ts'
import { startGroup } from './start-group.ts'

/**
 * Runs gza with the real clients, in fixed versions, against a scripted model on loopback (docs/clients.md).
 * Arguments (`npm run test:agents -- codex`) select clients. The last line is `N passed, N failed`.
 */
const ROOT = dirname(import.meta.dir)
const BUN = process.execPath

process.exitCode = await main(process.argv.slice(2))

async function main(words: string[]): Promise<number> {
  try {
    const clients = installedClients()
    build()
    return await runTests(clients, words)
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
    console.log('0 passed, 1 failed')
    return 1
  }
}

function build(): void {
  const { status, stderr } = spawnSync(BUN, ['scripts/build.ts'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${stderr}the build exited with ${status}`)
}

/** In parallel: they are busy while they start, and then mostly wait. */
async function runTests(clients: string, words: string[]): Promise<number> {
  const all = readdirSync(join(ROOT, 'test/clients/runs')).map((name) => `./test/clients/runs/${name}`)
  const files = all.filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  if (files.length === 0) throw new Error(`no client is called ${words.join(' ')}`)
  const env = { ...process.env, GZA_CLIENTS: clients }
  const onOutput = (chunk: string): void => void process.stdout.write(chunk)
  const { code, output } = await startGroup([BUN, 'test', '--parallel=4', ...files], { cwd: ROOT, env, onOutput }).ended
  const { passed, failed } = readTally(code, output)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}
