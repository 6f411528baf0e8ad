import { expect, test } from 'bun:test'
import { clientConfiguration } from './client-configuration.ts'

test('configuration of clients is found in every folder, in any case, also as a link', () => {
  const found = {
    '.claude/settings.json': '.claude',
    'sub/.Claude/hooks/x.sh': 'sub/.Claude',
    'a/b/.qwen': 'a/b/.qwen',
    '.mcp.json': '.mcp.json',
    'sub/opencode.jsonc': 'sub/opencode.jsonc',
    '.opencode/plugin/x.js': '.opencode',
    '.github/hooks/x.json': '.github/hooks',
    '.github/copilot/settings.json': '.github/copilot',
    'sub/.env': 'sub/.env',
  }
  expect(Object.fromEntries(Object.keys(found).map((path) => [path, clientConfiguration(path)]))).toEqual(found)
})

test('instructions and code are not configuration', () => {
  for (const path of ['CLAUDE.md', 'AGENTS.md', '.github/copilot-instructions.md', 'src/claude/x.ts', '.env.example'])
    expect(clientConfiguration(path)).toBeNull()
})
