import { expect } from 'bun:test'
import { join } from 'node:path'
import { aClientScenario, type ClientScenario, expectOk } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import { type Client, writeBelow } from '../clients.ts'
import type { Script } from '../model-script.ts'
import { NOTE, USES_COMMANDS, USES_TOOLS } from '../reading-model.ts'
import type { ClientName } from '../table/rows.ts'

/** All that the person says. It names no command and no tool. */
const PROMPT = 'Use gza: do the most urgent task of this repository.'

/** How a person starts a client for one prompt, without gza around it. */
const SESSIONS: Record<ClientName, readonly string[]> = {
  claude: ['claude', '-p', PROMPT, '--dangerously-skip-permissions'],
  codex: ['codex', 'exec', '--dangerously-bypass-approvals-and-sandbox', PROMPT],
  opencode: ['opencode', 'run', '--auto', PROMPT],
  gemini: ['gemini', '-p', PROMPT, '--yolo', '--skip-trust', '-m', 'gemini-2.5-pro'],
  qwen: ['qwen', PROMPT, '--yolo'],
  copilot: ['copilot', '-p', PROMPT, '--allow-all-tools'],
}

/** In a session that a person starts, the model has only what `gza setup` has given to the client. */
export function testFirstTask(client: Client): void {
  testRows(client, ['tools'], () => closeFirstTask(client, USES_TOOLS, ['--mcp']))
  testRows(client, ['commands'], () => closeFirstTask(client, USES_COMMANDS, []))
}

async function closeFirstTask(client: Client, script: Script, setup: readonly string[]): Promise<void> {
  const scenario = aClientScenario(client, script)
  const { repo } = scenario
  const name = client.name as ClientName
  expectOk(repo.gza('setup', name, ...setup, '--yes'))
  repo.commit('Set up')
  scenario.add('Write the parser')
  scenario.add('Write the lexer', '--after', '1')
  const { stdout, stderr } = await session(scenario, name)
  const told = () => `${stdout}\n${stderr}\n${scenario.requests().at(-1)}`
  const { id, status, notes, runs } = scenario.show(1)
  if (status !== 'completed') throw new Error(`${name} has not closed the task: ${told()}`)
  expect(notes).toEqual([NOTE])
  expect(runs).toMatchObject([{ agent: AGENTS[name] ?? name, claimed: true, outcome: 'completed' }])
  expect(repo.git('log', '--format=%s', 'refs/tasks/main').split('\n').slice(0, 3)).toEqual([
    `done ${id}`,
    `note ${id}`,
    `claim ${id}`,
  ])
  expect(scenario.show(2).status).toBe('pending')
  expect(scenario.processes()).toEqual([])
}

/** As agent mode names those that it names otherwise. */
const AGENTS: Partial<Record<ClientName, string>> = { claude: 'claude-code' }

/** A login shell, such as codex starts, finds gza where the person's profile says. */
function session({ repo }: ClientScenario, name: ClientName) {
  const { HOME, PATH } = repo.env
  for (const profile of ['.profile', '.bash_profile']) writeBelow(String(HOME), profile, `export PATH='${PATH}'\n`)
  const env = { IS_SANDBOX: '1', GZA_TRUST: undefined, GIT_CONFIG_GLOBAL: join(String(HOME), '.gitconfig') }
  return repo.start([...SESSIONS[name]], { env, timeout: LONGEST })
}

const LONGEST = 330_000
