import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findProcess, readProcessTable, signalProcess } from '../../../src/platform/processes/process-table.ts'
import { readPsTable } from '../../../src/platform/processes/read-ps-table.ts'
import { until } from '../../support/until.ts'
import { aTag, living, pidsOf } from './supervise-script.ts'

test('a signal goes to the process that was meant, not to a later one with its pid', async () => {
  const tag = aTag()
  const child = spawn('sh', ['-c', `read line; echo "$line"; exec sleep ${tag}`], { stdio: ['pipe', 'pipe', 'ignore'] })
  const id = findProcess(child.pid as number)
  if (!id) throw new Error('the child is not in the table')
  signalProcess({ pid: id.pid, startedAt: id.startedAt - 1 }, 'SIGKILL')
  // An answer shows that it lives: a process that is killed does nothing more, once the signal is sent.
  child.stdin.write('alive\n')
  expect(String(await once(child.stdout, 'data'))).toBe('alive\n')
  signalProcess(id, 'SIGKILL')
  await until(() => living(tag).length === 0, 'the process is gone')
  signalProcess(id, 'SIGKILL')
})

test('where there is no /proc, ps shows the same processes and their markers', async () => {
  const tag = aTag()
  const child = spawn('sh', ['-c', `sleep ${tag} & wait`], {
    stdio: 'ignore',
    detached: true,
    env: { PATH: process.env.PATH, A: '1', GZA_RUN: `run-${tag}`, Z: '1' },
  })
  await until(() => living(tag).length === 2, 'both processes run')
  const [fromProc, fromPs] = [readProcessTable(), readPsTable()]
  for (const table of [fromProc, fromPs]) {
    const marked = table.carrying(`run-${tag}`, table.entries)
    const shape = marked.map(({ parent, group, isZombie }) => ({ parent, group, isZombie }))
    const ours = { group: child.pid as number, isZombie: false }
    expect(shape).toEqual([
      { parent: process.pid, ...ours },
      { parent: child.pid as number, ...ours },
    ])
    expect(table.carrying('run-', marked)).toEqual([])
  }
  const startOf = (pid: number) => fromPs.entries.find((entry) => entry.pid === pid)?.startedAt ?? 0
  expect(startOf(child.pid as number)).toBeGreaterThan(Date.now() - 60_000)
  for (const pid of pidsOf(tag).filter((pid) => pid !== child.pid)) process.kill(pid, 'SIGKILL')
  await new Promise((resolve) => child.on('exit', resolve))
})
