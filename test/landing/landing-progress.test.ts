import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import type { QueueItem } from '../../src/landing/read-queue.ts'
import { outputOf } from '../support/ledger-answers.ts'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { spawnGza } from '../support/spawn-gza.ts'
import { until } from '../support/until.ts'
import { configure, done } from './finished-tasks.ts'

/** Three finished tasks. The nth check waits until it may end, and is red if the work of `two` is there. */
function aGatedLanding(): { repo: AgentRepo; open(n: number): void } {
  // The check counts its calls beside the repository, which a box hides.
  const repo = done(['one', 'two', 'three'], {}, { isolation: 'off' })
  const beside = repo.beside('')
  const count = `echo >>${beside}/checks; n=$(wc -l <${beside}/checks)`
  configure(repo, {
    verify: { command: `${count}; until test -e ${beside}/open-$n; do sleep 0.05; done; ! test -e two.txt` },
  })
  return { repo, open: (n) => writeFileSync(repo.beside(`open-${n}`), '') }
}

function queued(repo: AgentRepo): string[] {
  const items: QueueItem[] = JSON.parse(outputOf(repo.gza('queue', '--json')))
  return items.map(({ number, code, detail }) => `#${number} ${code}: ${detail}`)
}

const shows = (repo: AgentRepo, line: string) => until(() => queued(repo).includes(line) && queued(repo), line)

test('the queue shows what is being verified, and among which tasks of a red batch the cause is searched', async () => {
  const { repo, open } = aGatedLanding()
  const merge = spawnGza(repo, 'merge', '--all')
  expect(await shows(repo, '#1 VERIFYING: is being verified together: #1, #2, #3')).toEqual([
    '#1 VERIFYING: is being verified together: #1, #2, #3',
    '#2 VERIFYING: is being verified together: #1, #2, #3',
    '#3 VERIFYING: is being verified together: #1, #2, #3',
  ])
  open(1)
  const first = 'is in a batch that failed: one of #1, #2, #3; #1 is being verified'
  expect(await shows(repo, `#3 BISECTING: ${first}`)).toEqual([1, 2, 3].map((n) => `#${n} BISECTING: ${first}`))
  open(2)
  const second = 'is in a batch that failed: one of #2, #3; #1, #2 are being verified'
  expect(await shows(repo, `#3 BISECTING: ${second}`)).toEqual([
    '#1 VERIFYING: is being verified together: #1, #2',
    `#2 BISECTING: ${second}`,
    `#3 BISECTING: ${second}`,
  ])
  open(3)
  open(4)
  expect((await merge.ended).code).toBe(1)
  expect(queued(repo)).toEqual([expect.stringMatching(/^#2 SENT_BACK: was sent back: /)])
})

test('what a killed landing was verifying is not shown as if it went on, and the next one shows its own', async () => {
  const { repo, open } = aGatedLanding()
  const killed = spawnGza(repo, 'merge', '1', '3')
  await shows(repo, '#3 VERIFYING: is being verified together: #1, #3')
  killed.process.kill('SIGKILL')
  await killed.ended
  expect(queued(repo).map((line) => line.split(':')[0])).toEqual(['#1 READY', '#2 READY', '#3 READY'])
  const next = spawnGza(repo, 'merge', '3')
  await shows(repo, '#3 VERIFYING: is being verified')
  open(2)
  expect((await next.ended).code).toBe(0)
  expect(queued(repo).map((line) => line.split(':')[0])).toEqual(['#1 READY', '#2 READY'])
})
