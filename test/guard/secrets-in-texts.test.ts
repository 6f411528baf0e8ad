import { expect, test } from 'bun:test'
import { outputOf } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

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

test('the secrets of a copied .env file are in no log, note or failure, and other values stay', () => {
  const value = 'q7Zp2mXw9LkT4vBn'
  const act = '. ./.env; echo "using $STRIPE in $MODE"; gza note "$task" "found $STRIPE"; commit "$title.txt" a'
  const check = '. ./.env; echo "check with $STRIPE in $MODE"; exit 1'
  const repo = anAgentRepo(
    { else: act },
    { defaults: { max_attempts: 1 }, config: { worktree: { copy: ['.env*'] }, verify: { command: check } } },
  )
  repo.commit('ignore', { '.gitignore': '.env*\n' })
  repo.write('.env', `STRIPE="${value}"\nMODE=development\n`)
  repo.add('one')
  const red = repo.gza('work')
  expect([red.code, red.stdout + red.stderr]).toEqual([1, expect.stringContaining('check with [redacted] in')])
  expect(repo.gza('inbox').stdout).toMatch(/BASE_RED[\s\S]*check with \[redacted\] in development/)
  expect(repo.gza('work', '--no-base-check').code).toBe(1)
  const { stdout, stderr } = repo.gza('logs', '1')
  const everything = [stdout, stderr, history(repo), repo.run(['sh', '-c', 'cat .git/gza/logs/*']).stdout].join('\n')
  expect(everything).not.toContain(value)
  expect(stdout).toContain('using [redacted] in development')
  expect(repo.task('1').notes).toContain('found [redacted]')
  expect(repo.gza('inbox').stdout).toContain('check with [redacted] in development')
})
