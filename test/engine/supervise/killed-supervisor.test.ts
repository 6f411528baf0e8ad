import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile } from '../../../scripts/compile.ts'
import { endMarked, findMarked } from '../../../src/engine/supervise/run-processes.ts'
import { runProcess } from '../../support/run-process.ts'
import { until } from '../../support/until.ts'
import { aTag, living, pidsOf } from './supervise-script.ts'

const PROBE = new URL('supervise-in-process.ts', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'gza-probe-'))
const compiled = join(folder, 'probe')

beforeAll(() => compile({ source: PROBE, outfile: compiled }))

afterAll(() => rmSync(folder, { recursive: true }))

const SCRIPT = [
  'sleep $TAG &',
  '(setsid sleep $TAG &)',
  'env -i setsid sh -c "exec 0<&- 1>&- 2>&-; setsid sleep $TAG & exit" &',
  'env -i sh -c "setsid sleep $TAG & exit"',
].join('\n')

test('a compiled supervisor ends everything, daemons without environment included', () => {
  const tag = aTag()
  const script = `${SCRIPT.replaceAll('$TAG', tag)}\nsleep 0.2; echo done`
  const { stdout } = runProcess([compiled, `run-${tag}`, script], { env: { PATH: process.env.PATH } })
  expect(JSON.parse(stdout)).toMatchObject({ end: { kind: 'exited', code: 0 }, survivors: 0, lines: 1 })
  expect(living(tag)).toEqual([])
})

test('after a kill -9 of the supervisor all its processes are found and ended, and no others', async () => {
  const tag = aTag()
  const other = aTag()
  const bystander = spawn('sleep', [other], { stdio: 'ignore', env: { GZA_RUN: `run-${tag}-other` } })
  const script = `${SCRIPT.replaceAll('$TAG', tag)}\nsleep ${tag}`
  const argv = [`run-${tag}`, script]
  const supervisor = spawn(compiled, argv, { stdio: 'ignore', env: { PATH: process.env.PATH } })
  const sleepers = () => living(tag).filter((line) => line === `sleep ${tag}`)
  // With the script's shell and the supervisor, whose arguments hold the script.
  await until(() => sleepers().length === 5 && living(tag).length === 7, 'the script runs')
  supervisor.kill('SIGKILL')
  await new Promise((resolve) => supervisor.on('exit', resolve))

  const found = findMarked(`run-${tag}`).map(({ pid }) => pid)
  expect(found.sort()).toEqual(pidsOf(tag).sort())
  expect(found.length).toBe(6)
  expect(await endMarked(`run-${tag}`, 300)).toBe(0)
  expect(living(tag)).toEqual([])
  expect(living(other)).toEqual([`sleep ${other}`])
  bystander.kill()
})

test('a marker that no process has ends nothing, and an empty one is refused', async () => {
  expect(findMarked('run-that-never-was')).toEqual([])
  expect(await endMarked('run-that-never-was')).toBe(0)
  expect(() => findMarked('')).toThrow('without a marker')
})
