import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../support/repo.ts'

test('a client is set up once it is agreed to, once, and can be taken out without a trace', () => {
  const repo = aRepo()
  const own = '{\n\t"permissions": { "allow": ["Bash(ls)"] }\n}\n'
  const path = repo.write('.claude/settings.json', own)
  const shown = repo.gza('setup', 'claude')
  expect(shown.code).toBe(1)
  expect(shown.stdout).toContain('+\t\t\t\t\t\t"command": "gza context --hook 2>/dev/null || true"\n')
  expect(shown.stderr).toContain('Nothing was changed: there is no terminal to ask for confirmation')
  expect(readFileSync(path, 'utf8')).toBe(own)
  expect(JSON.parse(repo.gza('setup', 'claude', '--yes', '--json').stdout)).toMatchObject({
    ...{ client: 'claude', path: '.claude/settings.json', action: 'change', applied: true },
  })
  const { permissions, hooks } = JSON.parse(readFileSync(path, 'utf8'))
  expect({ permissions, hooks }).toEqual({
    permissions: { allow: ['Bash(ls)'] },
    hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'gza context --hook 2>/dev/null || true' }] }] },
  })
  expect(repo.gza('setup', 'claude').stdout).toBe('.claude/settings.json is already set up\n')
  expect(repo.gza('setup', 'claude', '--remove', '--yes').code).toBe(0)
  expect(readFileSync(path, 'utf8')).toBe(own)
})

test('instruction files get a block, one that gza made goes again, and no file is broken', () => {
  const repo = aRepo()
  const agents = repo.write('AGENTS.md', '# Rules\r\nBe kind.')
  for (const client of ['codex', 'opencode']) expect(repo.gza('setup', client, '--yes').code).toBe(0)
  expect(readFileSync(agents, 'utf8')).toMatch(
    /^# Rules\r\nBe kind\.\r\n\r\n<!-- gza:begin -->\r\n[\s\S]*gza context[\s\S]*<!-- gza:end -->$/,
  )
  repo.gza('setup', 'codex', '--remove', '--yes')
  expect(readFileSync(agents, 'utf8')).toBe('# Rules\r\nBe kind.')
  repo.gza('setup', 'copilot', '--yes')
  repo.gza('setup', 'copilot', '--remove', '--yes')
  expect(existsSync(join(repo.dir, '.github'))).toBe(false)
  repo.gza('setup', 'claude', '--yes')
  const other = repo.write('.claude/own.md', 'mine')
  repo.gza('setup', 'claude', '--remove', '--yes')
  expect([existsSync(other), existsSync(join(repo.dir, '.claude/settings.json'))]).toEqual([true, false])

  repo.write('.gemini', 'no folder')
  expect(repo.gza('setup', 'gemini', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not a folder'),
  })
  rmSync(join(repo.dir, '.gemini'))
  const commented = repo.write('.gemini/settings.json', '{\n  // mine\n}\n')
  expect(repo.gza('setup', 'gemini', '--yes').stderr).toContain('.gemini/settings.json cannot be changed safely')
  expect(readFileSync(commented, 'utf8')).toBe('{\n  // mine\n}\n')
  expect(repo.withEnv({ GZA_AGENT: 'codex' }).gza('setup', 'codex', '--yes').stderr).toContain('blocked in agent mode')
  repo.write('.github/CODEOWNERS', '')
  symlinkSync(repo.write('../elsewhere.md', 'shared'), join(repo.dir, '.github/copilot-instructions.md'))
  expect(repo.gza('setup', 'copilot', '--yes').stderr).toContain('leads out of this repository')
  expect(repo.gza('setup', 'vim').stderr).toContain('One of: claude, codex, opencode, gemini, qwen, copilot')
})

test('a file that was there before comes back to the byte, however little was in it; one that is not text is left alone', () => {
  const repo = aRepo()
  const files = { claude: '.claude/settings.json', codex: 'AGENTS.md' }
  const roundTrip = (client: keyof typeof files, text: string) => {
    const path = repo.write(files[client], text)
    expect(repo.gza('setup', client, '--yes').stdout).toContain('start with gza context')
    expect(repo.gza('setup', client).stdout).toContain('is already set up')
    expect(repo.gza('setup', client, '--remove', '--yes').code).toBe(0)
    return readFileSync(path, 'utf8')
  }
  for (const text of ['', '\n', '{}', '{\n}\n', '{"hooks":{}}', '{"a":1,"hooks":{"SessionStart":[]}}'])
    expect(roundTrip('claude', text)).toBe(text)
  for (const text of ['', '\n']) expect(roundTrip('codex', text)).toBe(text)
  rmSync(join(repo.dir, 'AGENTS.md'))
  repo.gza('setup', 'codex', '--yes')
  repo.gza('setup', 'codex', '--remove', '--yes')
  expect(existsSync(join(repo.dir, 'AGENTS.md'))).toBe(false)

  const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a])
  writeFileSync(join(repo.dir, 'AGENTS.md'), latin)
  expect(repo.gza('setup', 'codex', '--yes').stderr).toContain('AGENTS.md cannot be changed safely: it is not UTF-8')
  expect(readFileSync(join(repo.dir, 'AGENTS.md'))).toEqual(latin)
})

test('qwen gets a hook, and where a set-up is only a request, the command says so', () => {
  const repo = aRepo()
  expect(repo.gza('setup', 'qwen', '--yes').stdout).toEndWith(
    'qwen: its sessions here start with gza context. Commit .qwen/settings.json to share that.\n',
  )
  expect(JSON.parse(readFileSync(join(repo.dir, '.qwen/settings.json'), 'utf8'))).toEqual({
    hooks: {
      SessionStart: [{ hooks: [{ type: 'command', name: 'gza', command: 'gza context --hook 2>/dev/null || true' }] }],
    },
  })
  expect(repo.gza('setup', 'qwen', '--remove', '--yes').code).toBe(0)
  expect(existsSync(join(repo.dir, '.qwen'))).toBe(false)
  for (const client of ['codex', 'opencode', 'copilot'])
    expect(JSON.parse(repo.gza('setup', client, '--json').stdout)).toMatchObject({ client, kind: 'request' })
  expect(JSON.parse(repo.gza('setup', 'gemini', '--json').stdout)).toMatchObject({ kind: 'hook' })
  const { stdout } = repo.gza('setup', 'copilot', '--yes')
  expect(stdout).toContain('This is only a request in a file of instructions')
  expect(repo.gza('setup', 'claude', '--yes').stdout).not.toContain('only a request')
})
