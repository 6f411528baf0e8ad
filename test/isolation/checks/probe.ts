/** A command of a project that tries everything a box must refuse, and writes down what it could do. */
import { expect } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keeps } from '../../../src/core/isolation/promises.ts'
import type { AgentRepo } from '../../support/scripted-agent.ts'
import type { RunLevel } from '../runs/isolated-repo.ts'

/** The folder in /tmp, if any, in which this checkout is: a box shows the executable there. */
const OURS = /^\/tmp\/([^/]+)/.exec(import.meta.dir)?.[1] ?? 'gza-test'

/** `sh probe.sh NAME`: `$beside` is the folder beside the repository. */
export const PROBE = `
beside=$(cat beside.txt)
repo=$(dirname "$beside")/repo
tmp=\${TMPDIR:-/tmp}
say() { echo "$1: $2" >>"$beside/probes"; }
say "$1" "on $(git symbolic-ref --short HEAD 2>/dev/null || echo a commit), $(ls "$tmp" | grep -cvx -e 'gza-test.*' -e '${OURS}') in /tmp, $(git log -1 --format=%s)"
touch "$tmp/mine"
mkdir -p built && echo "$1" >>built/out || say "$1" "cannot build"
(
git -C "$repo" update-ref refs/heads/precious HEAD~1
git -C "$repo" config core.fsmonitor /bin/false
echo '[core] fsmonitor = /bin/false' >>"$repo/.git/config"
mkdir -p "$repo/.git/hooks" && echo x >"$repo/.git/hooks/post-checkout"
echo x >"$repo/README.md"
git config core.hooksPath .husky/_
git config core.fsmonitor /bin/false
echo x >"$(git rev-parse --git-dir)/hooks/pre-commit"
git branch planted
git update-ref refs/tasks/main HEAD
git commit -q --allow-empty -m planted
git push -q "$repo" HEAD:refs/heads/precious
echo 'isolation: off' >"$HOME/.config/gza/config.yaml"
echo '[alias] x = y' >>"$HOME/.gitconfig"
) >/dev/null 2>&1
for path in .ssh/id_ed25519 .netrc .config/gh/hosts.yml .config/gza/config.yaml .claude/.credentials.json; do
  ! cat "$HOME/$path" 2>/dev/null | grep -q . || say "$1" "read $path"
done
git for-each-ref | grep -q refs/tasks/main && [ -z "$(git for-each-ref refs/tasks/ | grep -v "$(git rev-parse HEAD~1)")" ] || say "$1" 'saw a ledger'
for other in "$HOME"/.local/state/gza/worktrees/*/*; do
  case $(pwd -P) in "$other"*) ;; *) [ ! -d "$other" ] || say "$1" "saw $other" ;; esac
done
`

export function placeSecrets(repo: AgentRepo): void {
  const home = repo.env.HOME ?? ''
  for (const name of ['.ssh/id_ed25519', '.netrc', '.config/gh/hosts.yml', '.claude/.credentials.json']) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), 'SECRET\n')
  }
}

/** What the commands have written down. At a level that hides nothing, what they could read does not count. */
export function probes(repo: AgentRepo, level: RunLevel): string[] {
  const lines = existsSync(repo.beside('probes')) ? readFileSync(repo.beside('probes'), 'utf8').trim().split('\n') : []
  return lines.filter((line) => keeps(level, 'hides') || !/: (read|saw) /.test(line))
}

/** What must be as it was, whatever a command does. */
export function untouched(repo: AgentRepo): Record<string, string> {
  const home = repo.env.HOME ?? ''
  const read = (path: string): string => readFileSync(path, 'utf8')
  return {
    config: read(join(repo.dir, '.git/config')),
    hooks: readdirSync(join(repo.dir, '.git/hooks')).sort().join(),
    gitconfig: read(join(home, '.gitconfig')),
    settings: read(join(home, '.config/gza/config.yaml')),
    precious: repo.git('rev-parse', 'precious'),
    branches: repo.git('branch', '--list', 'planted'),
  }
}

export function expectNothingPlanted(repo: AgentRepo): void {
  expect(repo.git('log', '--all', '--format=%s')).not.toContain('planted')
  expect(repo.inbox()).toEqual([])
}
