import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outputOf } from '../../support/ledger-answers.ts'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from './isolated-repo.ts'

/** Each one may fail inside or do nothing outside. `$repo` is the person's repository, `$other` another task's worktree. */
const ATTACKS = `
repo=$beside/repo
(
set +e
git -C "$repo" update-ref refs/heads/main HEAD~1
git -C "$repo" branch -D precious
git -C "$repo" config core.fsmonitor /bin/false
git -C "$repo" update-ref refs/tasks/main HEAD
git update-ref -d refs/heads/precious
echo '[core] fsmonitor = /bin/false' >>"$repo/.git/config"
mkdir -p "$repo/.git/hooks" && echo x >"$repo/.git/hooks/post-checkout"
echo x >"$repo/README.md"
rm -rf "$repo"/.git/objects/* "$repo"/.git/refs/heads/main
echo '[core] fsmonitor = /bin/false' >>"$HOME/.gitconfig"
cat "$HOME/.ssh/id_ed25519" "$HOME/.netrc" "$HOME/.config/gh/hosts.yml" "$HOME/.config/gza/config.yaml"
echo 'isolation: off' >"$HOME/.config/gza/config.yaml"
mkdir -p "$HOME/.local/state/gza" && echo '{}' >"$HOME/.local/state/gza/trusted.json"
find "$HOME/.local/state/gza/worktrees" -name other.txt
find "$HOME/.local/state/gza/worktrees" -type d -exec sh -c 'echo x >"$1/planted"' _ {} ';'
rm -f planted
until [ -e "$beside/gza.pid" ]; do sleep 0.05; done
kill -9 "$(cat "$beside/gza.pid")"
git push -q "$repo" HEAD:refs/heads/main
git push -q origin HEAD:refs/heads/main
git -C "$beside/remote.git" update-ref refs/heads/main HEAD
rm -rf "$beside/remote.git/objects"
) >"$beside/attacks" 2>&1
commit work.txt done
`

const OTHER = `commit other.txt other; until [ -e "$beside/attacks.done" ]; do sleep 0.05; done`

function aTarget(level: (typeof LEVELS)[number]): IsolatedRepo {
  const repo = anIsolatedRepo(level, { Hostile: `${ATTACKS}touch "$beside/attacks.done"`, Other: OTHER })
  const home = repo.env.HOME ?? ''
  const secrets = { '.ssh/id_ed25519': 'SECRET-SSH', '.netrc': 'SECRET-NETRC', '.config/gh/hosts.yml': 'SECRET-GH' }
  for (const [name, text] of Object.entries(secrets)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), `${text}\n`)
  }
  repo.git('branch', 'precious')
  repo.git('init', '--quiet', '--bare', repo.beside('remote.git'))
  repo.git('remote', 'add', 'origin', repo.beside('remote.git'))
  repo.git('push', '--quiet', 'origin', 'main')
  return repo
}

/** What must be as it was: content of files that no run of gza writes, and every ref besides tasks and ledgers. */
function facts(repo: IsolatedRepo): Record<string, string> {
  const read = (path: string): string => readFileSync(path, 'utf8')
  const home = repo.env.HOME ?? ''
  return {
    config: read(join(repo.dir, '.git/config')),
    hooks: readdirSync(join(repo.dir, '.git/hooks')).sort().join(),
    gitconfig: read(join(home, '.gitconfig')),
    settings: read(join(home, '.config/gza/config.yaml')),
    readme: read(join(repo.dir, 'README.md')),
    refs: repo.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/main', 'refs/heads/precious'),
    remote: repo.git('ls-remote', 'origin'),
    modes: String(statSync(repo.beside('remote.git')).isDirectory()),
  }
}

for (const level of LEVELS) {
  test(`${level}: a hostile agent changes and reads nothing that is not its own, and its task completes`, async () => {
    const repo = aTarget(level)
    repo.add('Hostile')
    repo.add('Other')
    const before = facts(repo)
    const work = spawnProgram(repo, repo.commandLine('work', '--all', '--workers', '2'))
    writeFileSync(repo.beside('gza.part'), `${work.process.pid}\n`)
    renameSync(repo.beside('gza.part'), repo.beside('gza.pid'))
    expect(await work.ended, work.printed()).toEqual({ code: 0, signal: null })
    expect(readFileSync(repo.beside('attacks'), 'utf8')).not.toContain('SECRET')
    expect(facts(repo)).toEqual(before)
    expect(repo.statuses()).toEqual({ Hostile: 'completed', Other: 'completed' })
    for (const [number, file] of [
      ['1', 'work.txt'],
      ['2', 'other.txt'],
    ] as const) {
      const { branch, runs } = repo.task(number)
      expect(runs).toMatchObject([{ outcome: 'completed', isolation: level }])
      expect(repo.git('diff', '--name-only', `main...${branch}`)).toBe(file)
    }
    expect(repo.inbox()).toEqual([])
    expect(outputOf(repo.gza('verify'))).toContain('main: ok')
    expectNothingLeft(repo)
  })
}
