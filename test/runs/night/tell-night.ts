/** The story of a night, from `gza init` to landed work, on any project. */
import { expect } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InboxItem } from '../../../src/reports/inbox-item.ts'
import type { TaskView } from '../../../src/workspace/views/views.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { aRepo, type Repo } from '../../support/repo.ts'
import type { Project } from './projects.ts'

const TITLES = ['Alpha', 'Beta', 'Gamma', 'Delta']

/** A client on PATH that reaches its limit in its first call; any other agent runs the same script. */
const AGENT = (root: string, work: string): string => `#!/bin/bash
prompt="$*"
title=$(sed -n '/^--- BEGIN task /{n;p;q}' <<<"$prompt")
task=$(grep -o -m1 'task-[0-9a-f]*' <<<"$prompt" | head -1)
if [ "$(basename "$0")" = claude ]; then
  echo '{"type":"system","subtype":"init","session_id":"s1"}'
  echo '{"subtype":"success","is_error":true,"api_error_status":429,"result":"Claude AI usage limit reached|4102444800","session_id":"s1","total_cost_usd":0,"num_turns":1,"type":"result"}'
  exit 1
fi
if [ "$title" = Gamma ] && ! grep -q 'The metric one' <<<"$prompt"; then
  exec gza ask "$task" "Which units?"
fi
echo "$title" >>${root}/calls
${work}
git add -A && git commit -qm "Add $title"
`

function writeProgram(path: string, text: string): void {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

/** A committed project with clients on PATH, as a person has it before gza. */
export function aProject({ files, work }: Project): Repo {
  const plain = aRepo()
  const root = dirname(plain.dir)
  const bin = join(root, 'clients')
  mkdirSync(bin)
  for (const name of ['claude', 'other']) writeProgram(join(bin, name), AGENT(root, work))
  // Plugins of the machine's pytest are no part of the project, and loading them takes half of each check.
  const repo = plain.withEnv({ PATH: `${bin}:${plain.env.PATH}`, PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' })
  repo.commit('first', files)
  return repo
}

export function tellNight(project: Project): void {
  const repo = aProject(project)
  const init = repo.gza('init', '--yes')
  expect([init.code, init.stdout]).toEqual([0, expect.stringContaining('✓ The checks pass on main')])
  expect(repo.gza('config', 'verify.command').stdout).toContain(project.check)
  expect(repo.gza('config', 'parallel_workers').stdout).toMatch(/^parallel_workers +3 /)
  const path = join(repo.dir, 'gza.yaml')
  const other = 'agents: { other: { command: "other {prompt}" } }\nfallback: [claude, other]\nland: merge\n'
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n${other}`)
  repo.git('commit', '-qam', 'Let another agent stand in, and land by itself')
  outputOf(repo.gza('trust'))
  for (const title of TITLES) outputOf(repo.gza('add', title))

  const night = repo.gza('work', '--all', '--workers', '3')
  expect([night.code, night.stdout]).toEqual([1, expect.stringContaining('other stands in for claude')])
  expect(night.stdout).toContain('? Task #3 asks: Which units?')
  expect(night.stderr).toContain('completed: #1, #2, #4\nlanded:    #1, #2, #4 on main\n')
  const inbox: InboxItem[] = JSON.parse(repo.gza('inbox', '--json').stdout)
  expect(inbox.filter(({ code }) => code !== 'AGENT_PAUSED')).toMatchObject([{ task: { number: 3 } }])
  expect(night.stderr).toContain('cost:      unknown (other reports none)\nnext:      gza answer 3 TEXT\n')

  outputOf(repo.gza('answer', '3', 'The metric one'))
  const morning = repo.gza('work', '--all', '--workers', '3')
  expect([morning.code, morning.stderr]).toEqual([0, expect.stringContaining('landed:    #3 on main\n')])
  const tasks: TaskView[] = JSON.parse(repo.gza('list', '--all', '--json').stdout)
  expect(tasks.map(({ title, status }) => [title, status])).toEqual(TITLES.map((title) => [title, 'completed']))
  // The limit cost nobody an attempt, and only the run that met it has it.
  const runs = TITLES.flatMap((_, at) => JSON.parse(repo.gza('show', `${at + 1}`, '--json').stdout).runs)
  const ends = runs.map(({ agent, reason }: { agent: string; reason: string | null }) => `${agent} ${reason ?? 'done'}`)
  expect(ends.toSorted()).toEqual(['claude usage-limit', ...TITLES.map(() => 'other done'), 'other question'])

  // A person breaks the base: nothing starts until it is green again.
  const { path: source, right, wrong } = project.source
  expect(right).not.toBe(wrong)
  repo.commit('Break it', { [source]: wrong })
  outputOf(repo.gza('add', 'Eta'))
  expect(repo.gza('work', '--all', '--workers', '3').code).toBe(1)
  expect(JSON.parse(repo.gza('show', '5', '--json').stdout).runs).toEqual([])
  expect(repo.gza('inbox').stdout).toContain('BASE_RED')
  repo.commit('Mend it', { [source]: right })
  expect(repo.gza('work', '--all', '--workers', '3')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('#5 on main'),
  })
  expect(repo.git('status', '--short')).toBe('')
  expect(repo.run(['sh', '-c', project.check]).code).toBe(0)
  expect(repo.gza('verify').code).toBe(0)
}
