import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHere, TOOLS } from '../../scripts/install-tools.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { until } from '../support/until.ts'
import { type ServedPage, servePage } from './served-page.ts'

/** How often the page was told of a change so far. */
interface Told {
  count(): number
  stop(): Promise<void>
}

async function listen(page: ServedPage): Promise<Told> {
  const stream = await page.get('/api/events', await page.signIn())
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  // The server ends the stream when it stops.
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += value
    }
  })().catch(() => {})
  await until(() => text.includes('event: hello'), 'the stream is open')
  return {
    count: () => text.split('event: changed').length - 1,
    async stop() {
      await page.stop()
      await reading
    },
  }
}

/** Waits until the page is told of a change, and not of an earlier one. */
async function isTold(told: Told, change: () => void): Promise<void> {
  await quiet(told)
  const before = told.count()
  change()
  await until(() => told.count() > before, 'the page is told')
}

/** What was told late would only hide a defect: nothing here can fail because this was too short. */
async function quiet(told: Told): Promise<void> {
  let seen = -1
  while (seen !== told.count()) {
    seen = told.count()
    await Bun.sleep(600)
  }
}

function aServed(repo: Repo): Promise<Told> {
  return servePage(repo).then(listen)
}

test('a change is told after all refs were packed, once and again', async () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Write the parser')
  const told = await aServed(repo)
  for (let round = 0; round < 3; round++) {
    repo.git('pack-refs', '--all', '--prune')
    await isTold(told, () => repo.gza('add', `Task of round ${round}`))
    await isTold(told, () => repo.git('update-ref', `refs/heads/deep/er/branch-${round}`, repo.commit('more')))
  }
  await told.stop()
})

test('a change of refs in folders that did not exist is told', async () => {
  const repo = aRepo()
  repo.commit('first')
  const told = await aServed(repo)
  await isTold(told, () => repo.gza('add', 'The first task of all'))
  await isTold(told, () => repo.git('branch', `a/b/c-${told.count()}`))
  repo.git('pack-refs', '--all', '--prune')
  repo.run(['rm', '-rf', join(repo.dir, '.git/refs/tasks')])
  await isTold(told, () => repo.gza('add', 'One more'))
  await told.stop()
})

test('a pause is told to the page, wherever it is made and lifted', async () => {
  const limit = Math.floor(Date.now() / 1000) + 365 * 24 * 3600
  const repo = anAgentRepo({ else: `echo "Claude AI usage limit reached|${limit}"; exit 1` })
  repo.add('Do it')
  const told = await aServed(repo)
  for (let time = 0; time < 2; time++) {
    await isTold(told, () => expect(repo.gza('work', '1').code).toBe(1))
    // Nothing but the store of the person changes.
    await isTold(told, () => expect(repo.gza('agents', 'resume', 'scripted').stdout).toContain('scripted: resumed'))
  }
  await told.stop()
})

test('a change of the tables of a repository with reftable is noticed', async () => {
  const repo = aRepo()
  repo.commit('first')
  const folder = join(repo.dir, '.git/reftable')
  mkdirSync(folder)
  const told = await aServed(repo)
  await isTold(told, () => writeFileSync(join(folder, 'tables.list'), `${told.count()}\n`))
  await told.stop()
})

if (isHere(TOOLS.reftable))
  test('a change is told in a repository whose refs are a reftable', async () => {
    const origin = aRepo()
    origin.commit('first')
    origin.git('clone', '-q', '--ref-format=reftable', origin.dir, join(origin.dir, '../tables'))
    const repo: Repo = { ...origin, dir: join(origin.dir, '../tables') }
    const gza = (...args: string[]) => origin.run(['gza', ...args], { cwd: repo.dir })
    const told = await aServed(repo)
    await isTold(told, () => gza('add', 'Write the parser'))
    await isTold(told, () => origin.run(['git', 'pack-refs', '--all'], { cwd: repo.dir }))
    await isTold(told, () => gza('add', 'Write the lexer'))
    await told.stop()
  })
