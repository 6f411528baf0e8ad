import { expect, test } from 'bun:test'
import { openSemaphore } from './semaphore.ts'

/** Work that records when it starts and continues, and ends on request. */
function aWorker(semaphore: ReturnType<typeof openSemaphore>, name: string, diary: string[]) {
  const agent = Promise.withResolvers<void>()
  const checks = Promise.withResolvers<void>()
  const done = semaphore.withPlace(async (yieldWhile) => {
    diary.push(`${name} begins`)
    await yieldWhile(() => agent.promise)
    diary.push(`${name} continues`)
    await checks.promise
  })
  return { agent, checks, done }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

test('a run that waits for an agent takes no place; a run that starts goes before one that returns', async () => {
  const diary: string[] = []
  const semaphore = openSemaphore(1)
  const [one, two, three] = ['one', 'two', 'three'].map((name) => aWorker(semaphore, name, diary)) as [
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
  const four = aWorker(semaphore, 'four', diary)
  await settled()
  expect(diary.slice(3)).toEqual(['three continues'])
  three.checks.resolve()
  await settled()
  expect(diary.slice(3)).toEqual(['three continues', 'four begins', 'one continues'])
  one.checks.resolve()
  four.agent.resolve()
  four.checks.resolve()
  two.agent.resolve()
  two.checks.resolve()
  await Promise.all([one.done, two.done, three.done, four.done])
})

test('a run that fails releases its place, even while it waits', async () => {
  const semaphore = openSemaphore(1)
  const fails = semaphore.withPlace((yieldWhile) => yieldWhile(() => Promise.reject(new Error('the agent broke'))))
  await expect(fails).rejects.toThrow('the agent broke')
  await expect(semaphore.withPlace(() => Promise.reject(new Error('we broke')))).rejects.toThrow('we broke')
  expect(await semaphore.withPlace(() => Promise.resolve('mine'))).toBe('mine')
})
