import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { delimiter, join } from 'node:path'
import { aRepo, type Repo } from '../../support/repo.ts'
import { TIME_LIMIT_MS } from '../client-test.ts'

setDefaultTimeout(TIME_LIMIT_MS)

/** A repository with a task, where the clients and the inspector are on PATH. */
function aPlace(): Repo {
  const bare = aRepo()
  const bin = join(String(process.env.GZA_CLIENTS), 'node_modules/.bin')
  const repo = bare.withEnv({ PATH: [bin, bare.env.PATH].join(delimiter), TERM: 'dumb', NO_COLOR: '1' })
  repo.commit('first')
  repo.gza('add', 'Write the parser')
  return repo
}

/** What each client says about the servers that it starts. Some also connect to them. */
const LISTED: Record<string, RegExp> = {
  claude: /gza: gza mcp - . Connected/,
  codex: /gza +gza +mcp .*enabled/,
  opencode: /✓ gza.*connected/,
  gemini: /gza: gza mcp \(stdio\)/,
  qwen: /gza: gza mcp \(stdio\) - Connected/,
  copilot: /gza \(local\)/,
}

describe('a client finds the server that gza setup has written into its settings', () => {
  test.each(Object.entries(LISTED))('%s', (client, listed) => {
    const repo = aPlace()
    expect(repo.gza('setup', client, '--mcp', '--yes').code).toBe(0)
    const { stdout, stderr } = repo.run([client, 'mcp', 'list'])
    expect(stdout + stderr).toMatch(listed)
    expect(repo.gza('setup', client, '--mcp', '--remove', '--yes').code).toBe(0)
    const after = repo.run([client, 'mcp', 'list'])
    expect(after.stdout + after.stderr).not.toContain('gza mcp')
  })
})

test('the command line of the inspector lists the tools, calls them, and reads resources and prompts', () => {
  const repo = aPlace()
  const inspect = (...args: string[]) => {
    const { stdout, stderr, code } = repo.run(['mcp-inspector', '--cli', 'gza', 'mcp', ...args])
    if (code !== 0) throw new Error(stdout + stderr)
    return JSON.parse(stdout)
  }
  const call = (name: string, ...pairs: string[]) => {
    const input = pairs.flatMap((pair) => ['--tool-arg', pair])
    return JSON.parse(inspect('--method', 'tools/call', '--tool-name', name, ...input).content[0].text)
  }
  expect(inspect('--method', 'tools/list').tools).toHaveLength(10)
  expect(call('next')).toMatchObject({ total: 1, tasks: [{ title: 'Write the parser' }] })
  // Each call is a connection of its own: the claim waits for the next one.
  expect(call('claim').task).toMatchObject({ number: 1, status: 'in_progress' })
  expect(call('note', 'ref=1', 'text=half of it is there')).toMatchObject({ noted: { number: 1 } })
  expect(call('done', 'ref=1')).toMatchObject({ done: { number: 1, status: 'completed' } })
  expect(JSON.parse(repo.gza('show', '1', '--json').stdout).notes).toEqual(['half of it is there'])
  const [{ text }] = inspect('--method', 'resources/read', '--uri', 'gza://task/1').contents
  expect(JSON.parse(text)).toMatchObject({ number: 1 })
  expect(inspect('--method', 'prompts/list').prompts).toMatchObject([{ name: 'work_queue' }])
})
