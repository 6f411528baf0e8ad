import { expect, test } from 'bun:test'
import { guardedFiles } from './guarded-files.ts'

const plain = (paths: readonly string[]) => paths.map((path) => ({ path, isNested: false }))

test('configuration, hooks and CI are guarded, wherever each tool looks for them', () => {
  const guarded = [
    ...['gza.yaml', '.project-config.json', '.gza/prompts/task.md', '.githooks/pre-commit', '.husky/pre-push'],
    ...['.github/workflows/ci.yml', '.gitlab-ci.yml', '.circleci/config.yml', 'Jenkinsfile', 'ci/Jenkinsfile.release'],
    ...['.pre-commit-config.yaml', 'azure-pipelines.yml', '.GitHub/workflows/x.yml', 'tools/hooks/pre-commit'],
    ...['lefthook.yml', '.overcommit.yml', '.lintstagedrc.json', 'lint-staged.config.mjs'],
  ]
  expect(guardedFiles(plain(guarded), 'tools/hooks')).toEqual(guarded)
})

test('what makes git, a client or an editor run something is guarded', () => {
  const guarded = [
    ...['.claude/settings.json', 'packages/a/.claude/commands/x.md', '.mcp.json', '.qwen/settings.json'],
    ...['.gemini/settings.json', '.codex/config.toml', '.opencode/plugin/x.ts', 'opencode.json', 'opencode.jsonc'],
    ...['.cursor/hooks.json', '.vscode/tasks.json', '.vscode/mcp.json', '.devcontainer/devcontainer.json', '.envrc'],
    ...['.gitattributes', 'src/.gitattributes', '.GitModules', '.lfsconfig', 'docs/.claude'],
  ]
  expect(guardedFiles(plain(guarded), null)).toEqual(guarded)
  expect(guardedFiles([{ path: 'lib', isNested: true }], null)).toEqual(['lib'])
})

test('code and instructions are not guarded', () => {
  const free = [
    ...['src/gza.yaml', 'docs/.github.md', 'src/hooks/use-x.ts', 'Jenkinsfiles/readme', 'a/.travis.yml.md'],
    ...['AGENTS.md', 'CLAUDE.md', '.vscode/extensions.json', 'src/claude/x.ts', '.gitignore', 'docs/claude'],
  ]
  expect(guardedFiles(plain(free), null)).toEqual([])
})
