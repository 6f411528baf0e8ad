import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../support/repo.ts'

test('a client is set up once it is agreed to, once, and can be taken out without a trace', () => {
  const repo = aRepo()
  const own = '{\n\t"permissions": { "allow": ["Bash(ls)"] }\n}\n'
  const path = repo.write('.claude/settings.json', own)
  const shown = repo.gza('setup', 'claude')
  expect(shown.code).toBe(1)
  expect(shown.stdout).toContain('+\t\t\t\t\t\t"command": "gza context --hook 2>/dev/null || true"\n')
  expect(shown.stderr).toContain('Nothing was changed: nobody is there to agree')
  expect(readFileSync(path, 'utf8')).toBe(own)
  expect(JSON.parse(repo.gza('setup', 'claude', '--yes', '--json').stdout)).toMatchObject({
    ...{ client: 'claude', path: '.claude/settings.json', action: 'change', applied: true },
  })
  const { permissions, hooks } = JSON.parse(readFileSync(path, 'utf8'))
  expect({ permissions, hooks }).toEqual({
    permissions: { allow: ['Bash(ls)'] },
    hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'gza context --hook 2>/dev/null || true' }] }] },
  })
  expect(repo.gza('setup', 'claude').stdout).toBe('.claude/settings.json is set up already\n')
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
    stderr: expect.stringContaining('is no folder'),
  })
  rmSync(join(repo.dir, '.gemini'))
  const commented = repo.write('.gemini/settings.json', '{\n  // mine\n}\n')
  expect(repo.gza('setup', 'gemini', '--yes').stderr).toContain('.gemini/settings.json cannot be changed safely')
  expect(readFileSync(commented, 'utf8')).toBe('{\n  // mine\n}\n')
  expect(repo.withEnv({ GZA_AGENT: 'codex' }).gza('setup', 'codex', '--yes').stderr).toContain('blocked in agent mode')
  repo.write('.github/CODEOWNERS', '')
  symlinkSync(repo.write('../elsewhere.md', 'shared'), join(repo.dir, '.github/copilot-instructions.md'))
  expect(repo.gza('setup', 'copilot', '--yes').stderr).toContain('leads out of this repository')
  expect(repo.gza('setup', 'vim').stderr).toContain('One of: claude, codex, opencode, gemini, copilot')
})
