import { expect, test } from 'bun:test'
import { openTurns } from './semaphore.ts'

/** Work that says when it begins and goes on, and ends when it is told to. */
function aWorker(turns: ReturnType<typeof openTurns>, name: string, diary: string[]) {
  const agent = Promise.withResolvers<void>()
  const checks = Promise.withResolvers<void>()
  const done = turns.inTurn(async (aside) => {
    diary.push(`${name} begins`)
    await aside(() => agent.promise)
    diary.push(`${name} goes on`)
    await checks.promise
  })
  return { agent, checks, done }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

test('who waits for an agent takes no place; who begins goes before who comes back', async () => {
  const diary: string[] = []
  const turns = openTurns(1)
  const [one, two, three] = ['one', 'two', 'three'].map((name) => aWorker(turns, name, diary)) as [
    ReturnType<typeof aWorker>,
    ReturnType<typeof aWorker>,
    ReturnType<typeof aWorker>,
  ]
  await settled()
  expect(diary).toEqual(['one begins', 'two begins', 'three begins'])
  three.agent.resolve()
  await settled()
  one.agent.resolve()
  await settled()
  const four = aWorker(turns, 'four', diary)
  await settled()
  expect(diary.slice(3)).toEqual(['three goes on'])
  three.checks.resolve()
  await settled()
  expect(diary.slice(3)).toEqual(['three goes on', 'four begins', 'one goes on'])
  one.checks.resolve()
  four.agent.resolve()
  four.checks.resolve()
  two.agent.resolve()
  two.checks.resolve()
  await Promise.all([one.done, two.done, three.done, four.done])
})

test('who fails gives the place free, also while waiting', async () => {
  const turns = openTurns(1)
  const fails = turns.inTurn((aside) => aside(() => Promise.reject(new Error('the agent broke'))))
  await expect(fails).rejects.toThrow('the agent broke')
  await expect(turns.inTurn(() => Promise.reject(new Error('we broke')))).rejects.toThrow('we broke')
  expect(await turns.inTurn(() => Promise.resolve('mine'))).toBe('mine')
})
