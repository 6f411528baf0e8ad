import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { AGENT_GUIDE } from '../src/core/client-setup/agent-guide.ts'

/**
 * Counts the tokens (o200k) that a model reads and writes until it has closed its first task with gza, beside the tool
 * lists of two other servers, which are installed from npm into a temporary folder. Prints the table of docs/mcp.md.
 */
const ROOT = dirname(import.meta.dir)
const PEERS = { 'backlog.md': '1.52.0', 'task-master-ai': '0.43.1' } as const
/** On a busy machine the others take minutes to start. */
const LONGEST_MS = 300_000

const folder = mkdtempSync(join(tmpdir(), 'gza-tokens-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
await main()

async function main(): Promise<void> {
  const gza = join(ROOT, 'dist', 'gza')
  const place = aPlace('gza', join(ROOT, 'dist'))
  run(place, 'gza', 'add', 'Write the parser')
  run(place, 'gza', 'add', 'Write the lexer', '--after', '1')
  const agent = { ...place, env: { ...place.env, GZA_AGENT: 'codex' } }
  const rows = [
    row('`gza --help` for a person', run(place, 'gza', '--help').out),
    row('`gza --help` for an agent', run(agent, 'gza', '--help').out),
    row('`gza context` with two tasks', run(agent, 'gza', 'context').out),
    ...withCommands(agent),
    ...(await withTools(place, gza)),
  ]
  console.log(['| what | calls | tokens |', '|---|---|---|', ...rows].join('\n'))
  // Installing the others takes minutes on a busy machine.
  for (const line of await peerRows()) console.log(line)
}

function row(what: string, text: string, calls: number | string = ''): string {
  return `| ${what} | ${calls} | ${countTokens(text).toLocaleString('en')} |`
}

interface Place {
  dir: string
  env: NodeJS.ProcessEnv
}

/** An empty repository with a home of its own. */
function aPlace(name: string, bin: string): Place {
  const dir = join(folder, name)
  const home = join(folder, `${name}-home`)
  for (const path of [dir, home]) mkdirSync(path)
  const person = { name: 'Test', email: 'test@example.com' }
  writeFileSync(join(home, '.gitconfig'), `[user]\n\tname = ${person.name}\n\temail = ${person.email}\n`)
  const place = { dir, env: { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: home } }
  run(place, 'git', 'init', '-q', '-b', 'main')
  run(place, 'git', 'commit', '-q', '--allow-empty', '-m', 'first')
  return place
}

function run({ dir, env }: Place, program: string, ...args: string[]): { line: string; out: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: dir, env, encoding: 'utf8' })
  const line = [program, ...args].join(' ')
  if (status !== 0) throw new Error(`${line}: ${error?.message ?? `${stdout}${stderr}`}`)
  return { line, out: stdout + stderr }
}

/** A session that begins with the block of `gza setup codex`; the model reads what each command prints. */
function withCommands(agent: Place): string[] {
  const lines = [['context'], ['claim', '1'], ['note', '1', '"It needs a lexer"'], ['done', '1']]
  const all = lines.map((args) => run(agent, 'gza', ...args))
  const read = [AGENT_GUIDE, ...all.flatMap(({ line, out }) => [line, out])].join('\n')
  run({ ...agent, env: { ...agent.env, GZA_AGENT: undefined } }, 'gza', 'edit', '1', '--reopen')
  return [row('first closed task, with commands', read, all.length)]
}

async function withTools({ dir, env }: Place, gza: string): Promise<string[]> {
  const { client, tools } = await connect(gza, ['mcp'], { dir, env })
  const fixed = [client.getInstructions() ?? '', JSON.stringify(tools)]
  const texts: string[] = []
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content } = await client.callTool({ name, arguments: input })
    texts.push(`${name} ${JSON.stringify(input)}`, content[0]?.type === 'text' ? content[0].text : '')
  }
  await call('next')
  await call('claim', { ref: '1' })
  await call('note', { ref: '1', text: 'It needs a lexer' })
  await call('done', { ref: '1' })
  await client.close()
  return [
    row('first closed task, with the tools of `gza mcp`', [...fixed, ...texts].join('\n'), texts.length / 2),
    row('– its calls and answers alone', texts.join('\n'), texts.length / 2),
    row(`tool list of \`gza mcp\` (${tools.length} tools)`, fixed[1] ?? ''),
  ]
}

async function connect(command: string, args: string[], { dir, env }: Place) {
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const transport = new StdioClientTransport({
    ...{ command, args, cwd: dir, env: Object.fromEntries(set), stderr: 'ignore' },
  })
  const client = new Client({ name: 'measure-tokens', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(transport, { timeout: LONGEST_MS })
  const { tools } = await client.listTools()
  return { client, tools }
}

async function peerRows(): Promise<string[]> {
  const modules = join(folder, 'peers')
  mkdirSync(modules)
  writeFileSync(join(modules, 'package.json'), JSON.stringify({ private: true, dependencies: PEERS }))
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', install, { cwd: modules, encoding: 'utf8' })
  if (status !== 0) return [`| the others: npm has not installed them: ${stderr.trim().split('\n')[0]} | | |`]
  const bin = join(modules, 'node_modules/.bin')
  return [
    await peerRow('Backlog.md', 'backlog.md', join(bin, 'backlog'), { args: ['mcp', 'start'], init: true }),
    await peerRow('Task Master', 'task-master-ai', join(bin, 'task-master-mcp')),
    await peerRow('Task Master, all', 'task-master-ai', join(bin, 'task-master-mcp'), {
      env: { TASK_MASTER_TOOLS: 'all' },
    }),
  ]
}

interface Starting {
  args?: string[]
  init?: boolean
  env?: NodeJS.ProcessEnv
}

async function peerRow(
  name: string,
  pack: keyof typeof PEERS,
  program: string,
  { args = [], init = false, env = {} }: Starting = {},
): Promise<string> {
  const place = aPlace(name.replace(/\W+/g, '-'), dirname(program))
  if (init) run(place, program, 'init', 'measure', '--defaults', '--integration-mode', 'none')
  const { client, tools } = await connect(program, args, { ...place, env: { ...place.env, ...env } })
  await client.close()
  return row(`tool list of ${name} ${PEERS[pack]} (${tools.length} tools)`, JSON.stringify(tools))
}
