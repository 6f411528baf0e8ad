import { expect, test } from 'bun:test'
import { clientPaths, foldersOf } from './client-folders.ts'

test('the folders of every client in the home folder, and the caches', () => {
  expect(clientPaths({ HOME: '/h' })).toEqual([
    ...['/h/.claude', '/h/.codex', '/h/.config/opencode', '/h/.local/share/opencode', '/h/.local/state/opencode'],
    ...['/h/.gemini', '/h/.qwen', '/h/.copilot', '/h/.claude.json', '/h/.cursor'],
    ...['/h/.cache', '/h/.npm', '/h/.bun/install/cache'],
  ])
})

test('variables lead elsewhere, and a relative path leads nowhere', () => {
  const env = {
    HOME: '/h',
    CODEX_HOME: '/data/codex',
    GEMINI_CLI_HOME: '/data',
    QWEN_HOME: 'here',
    XDG_DATA_HOME: '/x',
  }
  expect(foldersOf('codex', env)).toEqual(['/data/codex', '/h/.cache'])
  expect(foldersOf('/usr/bin/gemini', env)).toEqual(['/data/.gemini', '/h/.cache'])
  expect(foldersOf('qwen', env)).toEqual(['/h/.cache'])
  expect(foldersOf('opencode', env)).toContain('/x/opencode')
  expect(foldersOf('aider', env)).toEqual([])
  expect(foldersOf('toString', env)).toEqual([])
})
