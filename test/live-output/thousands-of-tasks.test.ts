import { expect, test } from 'bun:test'
import { widthOf } from '../../src/cli/terminal/fit-to.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { onTerminal } from './pseudo-terminal.ts'

const STATUSES = ['completed', 'pending', 'pending', 'failed', 'skipped']
const COUNT = 2000
const GROUPS = 150

/** Tasks in many groups and milestones. Only the last group has none that failed. */
function thousandsOfTasks(): Repo {
  const repo = aRepo()
  const lines = Array.from({ length: COUNT }, (_, at) => {
    const group = at % GROUPS
    const status = group === GROUPS - 1 ? 'completed' : STATUSES[Math.floor(at / GROUPS) % STATUSES.length]
    const named = {
      id: `t${at}`,
      content: `Task ${at} with a title that is longer than a narrow terminal has room for`,
    }
    return JSON.stringify({ ...named, status, group: `group-${group}`, milestone_id: `M${at % 90}` })
  })
  const { code } = repo.run(['gza', 'import', '-', '--format', 'jsonl'], { stdin: `${lines.join('\n')}\n` })
  expect(code).toBe(0)
  return repo
}

const repo = thousandsOfTasks()

async function screenOf(command: string, columns: number, rows: number): Promise<string[]> {
  const env = { ...repo.env, GZA_PAGER: "sed 's/^/paged: /'" }
  const terminal = onTerminal(['gza', command], { cwd: repo.dir, env, columns, rows })
  expect(await terminal.exited).toBe(0)
  return Bun.stripANSI(terminal.written()).replaceAll('\r', '').trimEnd().split('\n')
}

for (const [columns, rows] of [
  [120, 40],
  [80, 24],
  [60, 12],
] as const)
  for (const command of ['status', 'summary'])
    test(`${command} of ${COUNT} tasks stays one screen of ${columns} × ${rows}, and begins with all of them`, async () => {
      const lines = await screenOf(command, columns, rows)
      expect(lines[0]).toStartWith(`${COUNT} tasks`)
      expect(lines.length).toBeLessThan(rows)
      expect(lines.filter((line) => widthOf(line) > columns || line.startsWith('paged: '))).toEqual([])
      expect(lines.at(-1)).toMatch(/^… and \d+ more (groups|milestones): gza (groups|milestones)$/)
    })

test('of many groups, status shows those with failed tasks, each with its tasks', async () => {
  const lines = await screenOf('status', 120, 40)
  const groups = lines.filter((line) => line.startsWith('Group: '))
  expect(groups.length).toBeGreaterThan(5)
  expect(groups.filter((line) => !line.includes(' failed, '))).toEqual([])
  expect(lines.filter((line) => line.startsWith('  ✗ ')).length).toBeGreaterThanOrEqual(groups.length)
})

test('without a terminal, summary names some tasks of each status and counts the others', () => {
  const { stdout } = repo.gza('summary')
  const [completed = ''] = stdout.split('\n').filter((line) => line.startsWith('  completed'))
  expect(completed.match(/task-/g)).toHaveLength(20)
  expect(completed).toMatch(/ and \d+ more$/)
  const { stdout: some } = repo.gza('summary', '--limit', '30')
  expect(some.split('\n')[1]?.match(/task-/g)).toHaveLength(30)
})

test('an agent is shown 20 lines of status, groups and milestones, and how to get the others', () => {
  const agent = repo.withEnv({ GZA_AGENT: 'codex' })
  for (const [command, total] of [
    ['status', COUNT],
    ['groups', GROUPS],
    ['milestones', 90],
  ] as const) {
    const { stdout, stderr } = agent.gza(command)
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
    expect(stderr).toMatch(new RegExp(`^\\d+ of ${total} are shown\\. --limit ${total} shows all\\.$`, 'm'))
  }
  expect(JSON.parse(agent.gza('groups', '--json').stdout)).toHaveLength(GROUPS)
  expect(JSON.parse(agent.gza('groups', '--limit', '3', '--json').stdout)).toHaveLength(3)
})
