import { expect, test } from 'bun:test'
import { outputOf } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const KEY = 'correct-horse-battery'
const SAID = 'The note had a secret in it. [redacted] was written instead.'

/** Everything that a ledger ever had, as git shows it. */
function history(repo: Repo): string {
  return repo.git('log', '-p', '--format=%B', 'refs/tasks/main')
}

test.each(['a person', 'an agent'])('%s who writes a secret into a note keeps it out of the ledger', (who) => {
  const repo = aRepo({ env: { SHOP_API_KEY: KEY, ...(who === 'an agent' && { GZA_AGENT: 'zoe' }) } })
  outputOf(repo.gza('add', 'One'))
  expect(repo.gza('note', '1', `it needs ${TOKEN} and ${KEY}`)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(SAID),
  })
  expect(repo.gza('done', '1', '--note', `done with ${TOKEN}`).stderr).toContain(SAID)
  expect(JSON.parse(outputOf(repo.gza('show', '1', '--json'))).notes).toEqual([
    'it needs [redacted] and [redacted]',
    'done with [redacted]',
  ])
  expect(history(repo)).not.toMatch(new RegExp(`${TOKEN}|${KEY}`))
  expect(repo.gza('note', '1', 'nothing to hide').stderr).not.toContain('secret')
})

test('what an agent files has no secrets: not its title, its text, its imports or what it attaches', () => {
  const repo = aRepo({ env: { SHOP_API_KEY: KEY, GZA_AGENT: 'zoe' } })
  const filed = repo.gza('add', `Call it with ${TOKEN}\n\nand ${KEY}`, '--title', `With ${KEY}`, '--accept', KEY)
  expect(filed).toMatchObject({ code: 0, stderr: expect.stringContaining('The task had a secret in it.') })
  const lines = `${JSON.stringify({ content: `Use ${TOKEN}`, notes: [`or ${KEY}`] })}\n`
  outputOf(repo.run(['gza', 'import', '-'], { stdin: lines }))
  repo.write('found.txt', `password ${KEY}\n`)
  outputOf(repo.gza('note', '1', 'see', '--attach', 'found.txt'))
  expect(history(repo)).not.toMatch(new RegExp(`${TOKEN}|${KEY}`))
  expect(JSON.parse(outputOf(repo.gza('show', '1', '--json')))).toMatchObject({
    title: 'With [redacted]',
    content: 'Call it with [redacted]\n\nand [redacted]',
  })
  expect(repo.gza('verify').code).toBe(0)
})
