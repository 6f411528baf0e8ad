import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aRepo } from '../support/repo.ts'

const USER = {
  claude: '.claude.json',
  codex: '.codex/config.toml',
  opencode: '.config/opencode/opencode.json',
  gemini: '.gemini/settings.json',
  qwen: '.qwen/settings.json',
  copilot: '.copilot/mcp-config.json',
}
const PROJECT = {
  claude: '.mcp.json',
  codex: '.codex/config.toml',
  opencode: 'opencode.json',
  gemini: '.gemini/settings.json',
  qwen: '.qwen/settings.json',
  copilot: '.github/mcp.json',
}
const CLIENTS = Object.keys(USER) as (keyof typeof USER)[]

function startedBy(client: keyof typeof USER, text: string): string[] {
  if (client === 'codex') {
    const { command, args } = (Bun.TOML.parse(text) as { mcp_servers: { gza: { command: string; args: string[] } } })
      .mcp_servers.gza
    return [command, ...args]
  }
  const settings = JSON.parse(text)
  if (client === 'opencode') return settings.mcp.gza.command
  return [settings.mcpServers.gza.command, ...settings.mcpServers.gza.args]
}

test('every client gets the server in its user’s own settings, or in the project’s, and loses it without a trace', () => {
  const repo = aRepo()
  const home = String(repo.env.HOME)
  for (const client of CLIENTS)
    for (const [flags, path] of [
      [['--mcp'], join(home, USER[client])],
      [['--mcp', '--project'], join(repo.dir, PROJECT[client])],
    ] as const) {
      const shown = repo.gza('setup', client, ...flags)
      expect(shown.code).toBe(1)
      expect(shown.stdout).toContain('gza')
      expect(shown.stderr).toContain(`gza setup ${client} ${flags.join(' ')} --yes`)
      expect(existsSync(path)).toBe(false)
      const done = repo.gza('setup', client, ...flags, '--yes', '--json')
      expect(JSON.parse(done.stdout)).toMatchObject({ client, kind: 'server', action: 'create', applied: true })
      expect(startedBy(client, readFileSync(path, 'utf8'))).toEqual(['gza', 'mcp'])
      expect(repo.gza('setup', client, ...flags).stdout).toContain('is already set up')
      expect(repo.gza('setup', client, ...flags, '--remove', '--yes').code).toBe(0)
      expect(existsSync(path)).toBe(false)
      expect(existsSync(home)).toBe(true)
    }
})

test('what else is in those files stays to the byte, with comments and links', () => {
  const repo = aRepo()
  const home = String(repo.env.HOME)
  const write = (path: string, text: string): string => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  const toml = '# mine\nmodel = "o1"\n\n[mcp_servers.other]\ncommand = "x"\nwhen = 1979-05-27T07:32:00Z'
  const jsonc = '{\n  // mine\n  "mcp": {\n    "other": { "type": "remote" }, // keep\n  },\n}\n'
  const files = {
    codex: write(join(home, '.codex/config.toml'), toml),
    opencode: write(join(home, '.config/opencode/opencode.jsonc'), jsonc),
    claude: write(join(home, 'dotfiles/claude.json'), '{"numStartups":5,"mcpServers":{}}'),
  }
  symlinkSync(files.claude, join(home, '.claude.json'))
  for (const [client, path] of Object.entries(files)) {
    const before = readFileSync(path, 'utf8')
    expect(repo.gza('setup', client, '--mcp', '--yes').stdout).toContain(`${client}: starts gza mcp in every session`)
    expect(readFileSync(path, 'utf8')).not.toBe(before)
    expect(readFileSync(path, 'utf8')).toContain(client === 'claude' ? '"numStartups":5' : 'mine')
    expect(repo.gza('setup', client, '--mcp', '--remove', '--yes').code).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe(before)
  }
  expect(existsSync(join(home, '.config/opencode/opencode.json'))).toBe(false)
})

test('a file that cannot be changed safely is left alone, and nobody but a person sets a client up', () => {
  const repo = aRepo()
  const path = join(String(repo.env.HOME), '.claude.json')
  writeFileSync(path, '{broken')
  expect(repo.gza('setup', 'claude', '--mcp', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'Add it by hand: "mcpServers": {"gza": {"type":"stdio","command":"gza","args":["mcp"]}}',
    ),
  })
  expect(readFileSync(path, 'utf8')).toBe('{broken')
  expect(repo.withEnv({ GZA_AGENT: 'x' }).gza('setup', 'codex', '--mcp', '--yes').stderr).toContain('agent mode')
  expect(repo.gza('setup', 'codex', '--project', '--yes')).toMatchObject({ code: 2 })
  const elsewhere = repo.withEnv({ CODEX_HOME: join(repo.dir, 'codex'), PATH: '/usr/bin:/bin' })
  const placed = elsewhere.gza('setup', 'codex', '--mcp', '--yes')
  expect(placed.stderr).toContain('gza is not on your PATH')
  expect(readFileSync(join(repo.dir, 'codex/config.toml'), 'utf8')).toBe(
    '[mcp_servers.gza]\ncommand = "gza"\nargs = ["mcp"]\n',
  )
})
