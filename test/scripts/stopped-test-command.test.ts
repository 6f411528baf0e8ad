import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'
import { processesWith } from '../support/running-processes.ts'

const ROOT = dirname(dirname(import.meta.dir))

/** Starts a program and gives it the signal once `ready` is there: its exit code, and what it left running. */
async function signalled(repo: Repo, argv: string[], signal: NodeJS.Signals) {
  const [program = '', ...args] = argv
  const env = { ...repo.env, READY: join(repo.dir, 'ready') } as NodeJS.ProcessEnv
  const child = spawn(program, args, { cwd: repo.dir, env, stdio: 'ignore' })
  while (!existsSync(join(repo.dir, 'ready'))) await Bun.sleep(5)
  child.kill(signal)
  const [code] = await once(child, 'exit')
  return { code, left: processesWith(`READY=${env.READY}`) }
}

/** A script that starts a shell with a child of its own, and leaves a file if it continues after that. */
function aScript(repo: Repo, work: string): string {
  return repo.write(
    'script.ts',
    `import { startGroup } from '${ROOT}/scripts/start-group.ts'
     const { ended } = startGroup(['sh', '-c', ${JSON.stringify(work)}], { cwd: '.', env: process.env, graceMs: 200 })
     await ended
     await Bun.write('went-on', '')`,
  )
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s is passed on to what a script started, which then exits with %i', async (signal, code) => {
  const repo = aRepo()
  const script = aScript(repo, 'sleep 600 & : >"$READY"; wait')
  expect(await signalled(repo, [process.execPath, script], signal)).toEqual({ code, left: [] })
  expect(existsSync(join(repo.dir, 'went-on'))).toBe(false)
})

test('a program that ignores the signal is killed', async () => {
  const repo = aRepo()
  const script = aScript(repo, 'trap "" TERM; sleep 600 & : >"$READY"; wait; sleep 600')
  expect(await signalled(repo, [process.execPath, script], 'SIGTERM')).toEqual({ code: 143, left: [] })
})

test('.ci/run ends the installation with it', async () => {
  const repo = aRepo()
  mkdirSync(join(repo.dir, '.ci'))
  cpSync(join(ROOT, '.ci/run'), join(repo.dir, '.ci/run'))
  const npm = repo.write('bin/npm', '#!/bin/sh\n: >"$READY"\nexec sleep 600\n')
  chmodSync(npm, 0o755)
  const inPath = repo.withEnv({ PATH: `${dirname(npm)}:${repo.env.PATH}` })
  expect(await signalled(inPath, [join(repo.dir, '.ci/run')], 'SIGINT')).toEqual({ code: 130, left: [] })
})

test('the test commands start everything so', () => {
  for (const script of ['ci.ts', 'test.ts', 'test-agents.ts']) {
    const text = readFileSync(join(ROOT, 'scripts', script), 'utf8')
    expect(text).toContain("from './start-group.ts'")
    expect(text).not.toMatch(/\bspawn\(/)
  }
})
