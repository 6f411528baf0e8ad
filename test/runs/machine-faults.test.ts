import { expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { bin } from '../support/built-program.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { openLeases } from './crash-recovery/crash-repo.ts'

/** Root may write whatever the permissions say, unless it gives up the right to. */
const UNPRIVILEGED = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []

/** Makes a file where gza needs a folder, and returns how to repair it. */
const FAULTS: Record<string, (repo: AgentRepo) => { path: string; repair(): void }> = {
  'a state folder that is a file': (repo) => inTheWay(repo.beside('state')),
  'a folder for worktrees that cannot be made': (repo) => {
    mkdirSync(join(repo.beside('state'), 'gza'), { recursive: true })
    return inTheWay(join(repo.beside('state'), 'gza/worktrees'))
  },
  'a log that cannot be written': (repo) => {
    mkdirSync(join(repo.dir, '.gza'))
    return inTheWay(join(repo.dir, '.gza/logs'))
  },
}

/** As git says it about a worktree that another git records or removes at this moment. */
for (const why of ['Success', 'No such file or directory']) {
  test(`a worktree that another git changes at this moment uses no attempt (${why})`, () => {
    const repo = anAgentRepo({})
    const git = repo.run(['sh', '-c', 'command -v git']).stdout.trim()
    const fail = `echo "fatal: failed to read .git/worktrees/other/commondir: ${why}" >&2; exit 128`
    const once = `[ -e ${repo.beside('met')} ] || { touch ${repo.beside('met')}; ${fail}; }`
    mkdirSync(repo.beside('bin'))
    const script = `#!/bin/sh\ncase "$*" in *"worktree add"*) ${once};; esac\nexec ${git} "$@"\n`
    writeFileSync(repo.beside('bin/git'), script, { mode: 0o755 })
    repo.add('one')
    outputOf(repo.withEnv({ PATH: `${repo.beside('bin')}:${repo.env.PATH}` }).gza('work', '--all'))
    expect(existsSync(repo.beside('met'))).toBe(true)
    expect(repo.task('1').runs).toMatchObject([{ attempt: 1, outcome: 'completed' }])
  })
}

test('a git that cannot say how the ledger moved ends the work; nothing is mended', () => {
  const repo = anAgentRepo({ notes: 'git tasks note "$task" hello; commit a.txt "$call"' })
  const git = repo.run(['sh', '-c', 'command -v git']).stdout.trim()
  mkdirSync(repo.beside('bin'))
  const script = `#!/bin/sh\ncase "$*" in *--is-ancestor*) echo "fatal: no answer" >&2; exit 128;; esac\nexec ${git} "$@"\n`
  writeFileSync(repo.beside('bin/git'), script, { mode: 0o755 })
  repo.add('notes')
  const work = repo.withEnv({ PATH: `${repo.beside('bin')}:${repo.env.PATH}` }).gza('work')
  expect([work.code, `${work.stdout}${work.stderr}`]).toEqual([
    expect.any(Number),
    expect.stringContaining('no answer'),
  ])
  expect(work.code).not.toBe(0)
  expect(repo.gza('log').stdout).not.toContain('restore what was removed')
  outputOf(repo.gza('work'))
  expect(repo.statuses()).toEqual({ notes: 'completed' })
})

for (const [name, break_] of Object.entries(FAULTS)) {
  test(`${name} stops work with its reason: no task fails, no attempt is used, and the next work continues`, () => {
    const repo = aRepoWithState()
    for (const title of ['one', 'two', 'three']) repo.add(title)
    const { path, repair } = break_(repo)
    const work = repo.gza('work', '--all', '--workers', '2')
    expect(work.code).toBe(1)
    expect(work.stderr.match(/^Error: .*/gm)).toEqual([expect.stringContaining(path)])
    expect(work.stderr).toMatch(/^ {2}\S/m)
    expect(repo.statuses()).toEqual({ one: 'pending', two: 'pending', three: 'pending' })
    expect(repo.calls()).toEqual([])
    expect(repo.inbox()).toMatchObject([
      { code: 'MACHINE_FAULT', task: null, commands: ['gza doctor', 'gza work --all'] },
    ])
    expect(repo.inbox()[0]?.detail).toContain(path)
    repair()
    expect(repo.gza('work', '--all', '--workers', '2').code).toBe(0)
    expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed', three: 'completed' })
    const ends = ['1', '2', '3'].flatMap((ref) => repo.task(ref).runs.map(({ outcome }) => outcome))
    expect(ends.filter((outcome) => outcome === 'failed')).toEqual([])
    expect([repo.inbox(), openLeases(repo), repo.worktrees()]).toEqual([[], [], []])
  })
}

test('git tasks run stops at a fault of the machine too', () => {
  const repo = aRepoWithState()
  repo.add('one')
  appendFileSync(join(repo.dir, '.git/info/exclude'), '.gza\n')
  mkdirSync(join(repo.dir, '.gza'))
  const { path, repair } = inTheWay(join(repo.dir, '.gza/logs'))
  const run = repo.tasks('run', '--runner', repo.beside('agent'))
  expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(path)])
  expect(repo.inbox()).toMatchObject([{ code: 'MACHINE_FAULT' }])
  expect([repo.statuses(), repo.task('1').runs.filter(({ outcome }) => outcome === 'failed')]).toEqual([
    { one: 'pending' },
    [],
  ])
  repair()
  expect(repo.gza('work').code).toBe(0)
  expect(repo.inbox()).toEqual([])
})

test('a disk that runs full while an agent works stops work; with --json the report names what was done before', () => {
  const repo = anAgentRepo({
    fills: 'commit fills.txt x; test -e "$beside/roomy" || dd if=/dev/zero of="$beside/small/fill" bs=1k 2>/dev/null',
  })
  for (const title of ['one', 'fills', 'three']) repo.add(title)
  mkdirSync(repo.beside('small'))
  const { code, stdout, stderr } = repo.run([
    ...['unshare', '-rm', 'bash', '-c'],
    `mount -t tmpfs -o size=4m none "$0" && cp -a . "$0/repo" && cd "$0/repo" || exit 9
     gza work --all --json 2>"$1"; echo $?
     gza export | wc -l
     rm ../fill; touch "$2"
     gza work --all >/dev/null 2>&1; echo $?
     gza list --all --json`,
    ...[repo.beside('small'), repo.beside('said'), repo.beside('roomy')],
  ])
  expect([code, stderr]).toEqual([0, ''])
  const [report = '', first, tasks, second, ...list] = stdout.split('\n')
  expect([first, tasks, second]).toEqual(['1', '3', '0'])
  expect(JSON.parse(report)).toMatchObject({
    completed: [{ number: 1 }],
    failed: [],
    interrupted: [{ number: 2 }],
    error: { code: 'DISK_FULL', hint: expect.stringContaining('Free some space') },
  })
  expect(readFileSync(repo.beside('said'), 'utf8')).toContain('Task #2 interrupted; its work is ')
  expect(JSON.parse(list.join('\n')).map(({ status }: { status: string }) => status)).toEqual(
    Array(3).fill('completed'),
  )
})

/** A box hides the folders of gza, which these agents break. */
const REACHING_GZA = { isolation: 'off' } as const

test('a run that ends after a fault of the machine passes its slot to no other, and is recorded', () => {
  const acts = {
    breaks: `until [ -e "$beside/works" ]; do sleep 0.02; done; commit breaks.txt x
      cd "$beside/repo/.gza" && mv logs away && touch logs`,
    // The machine is in order again: only what the session remembers keeps the next task from its start.
    works: `touch "$beside/works"; until "$beside/gza" inbox --json | grep -q MACHINE_FAULT; do sleep 0.05; done
      (cd "$beside/repo/.gza" && rm logs && mv away logs); commit works.txt x`,
  }
  const repo = anAgentRepo(acts, REACHING_GZA)
  symlinkSync(bin('gza'), repo.beside('gza'))
  const first = repo.add('first')
  for (const title of ['breaks', 'works', 'third', 'fourth']) repo.add(title, '--after', first)
  const { code, stderr } = repo.gza('work', '--all', '--workers', '2')
  expect([code, stderr.match(/^Error: .*/gm)]).toEqual([1, [expect.stringContaining('.gza/logs')]])
  expect(repo.calls().map(({ title }) => title)).toEqual(['first', expect.any(String), expect.any(String)])
  expect(repo.statuses()).toMatchObject({ works: 'completed', third: 'pending', fourth: 'pending' })
})

test('a git that disappears while an agent works stops work, and the next work continues with what the agent left', () => {
  const repo = anAgentRepo({ one: 'commit one.txt x; save two.txt y; rm "$beside/bin/git"' })
  const titles = ['one', 'two']
  for (const title of titles) repo.add(title)
  const git = Bun.which('git') ?? ''
  const folders = (process.env.PATH ?? '').split(':')
  mkdirSync(repo.beside('bin'))
  for (const folder of folders) repo.run(['bash', '-c', 'ln -s "$0"/* "$1" 2>/dev/null', folder, repo.beside('bin')])
  repo.run(['bash', '-c', 'rm -f "$0"/git "$0"/git-*', repo.beside('bin')])
  symlinkSync(git, repo.beside('bin/git'))
  symlinkSync(bin('gza'), repo.beside('bin/gza'))
  const bare = repo.withEnv({ PATH: repo.beside('bin') })
  const { code, stdout, stderr } = bare.gza('work', '--all', '--json')
  expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'NO_GIT'])
  expect(stderr).toContain('Task #1 interrupted; its work is in its worktree')
  expect(bare.gza('work', '--all').stderr).toContain('git could not be started in ')
  expect(bare.gza('list').stdout).toContain(': one\n')
  symlinkSync(git, repo.beside('bin/git'))
  outputOf(repo.gza('work', '--all'))
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed' })
  expect(repo.git('log', '--format=%s', '--all')).toContain('one: one.txt')
  expect([repo.inbox(), openLeases(repo), repo.worktrees()]).toEqual([[], [], []])
})

test('a folder that may not be written stops work, and names the folder', () => {
  const repo = aRepoWithState()
  repo.add('one')
  const state = repo.beside('state')
  mkdirSync(state)
  for (const folder of [state, join(repo.dir, '.git/refs/tasks'), join(repo.dir, '.git/gza')]) {
    chmodSync(folder, 0o500)
    const { code, stderr } = repo.run([...UNPRIVILEGED, 'gza', 'work', '--all'], { env: { XDG_STATE_HOME: state } })
    chmodSync(folder, 0o700)
    expect([code, stderr.match(/^Error: .*/gm)]).toEqual([1, [expect.stringContaining(folder)]])
  }
  expect([repo.statuses(), repo.calls()]).toEqual([{ one: 'pending' }, []])
  outputOf(repo.gza('work', '--all'))
  expect(
    repo
      .task('1')
      .runs.map(({ outcome }) => outcome)
      .filter((outcome) => outcome === 'failed'),
  ).toEqual([])
  expect([repo.statuses(), repo.inbox()]).toEqual([{ one: 'completed' }, []])
})

test('a state folder that breaks while an agent works stops work, and the path is the one that a person knows', () => {
  const broken =
    'save one.txt x; test -e "$beside/away" || { mv "$beside/repo/.git/gza" "$beside/away"; touch "$beside/repo/.git/gza"; }'
  const repo = anAgentRepo({ one: broken }, REACHING_GZA)
  for (const title of ['one', 'two']) repo.add(title)
  const { code, stderr } = repo.gza('work', '--all')
  expect([code, stderr.match(/^Error: .*/gm)]).toEqual([1, [expect.stringContaining(`${repo.dir}/.git/gza`)]])
  rmSync(join(repo.dir, '.git/gza'))
  repo.run(['cp', '-a', repo.beside('away'), join(repo.dir, '.git/gza')])
  outputOf(repo.gza('work', '--all'))
  expect(repo.task('1').runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed' })
})

test('a client that is not installed stops only its own tasks', () => {
  const repo = anAgentRepo({}, { config: { agents: { scripted: { command: 'no-such-client' } } } })
  repo.add('one')
  expect(repo.gza('work').code).toBe(1)
  expect([repo.statuses(), repo.inbox()[0]?.code]).toEqual([{ one: 'pending' }, 'NOT_STARTED'])
})

function aRepoWithState(): AgentRepo {
  const repo = anAgentRepo({})
  const { gza, tasks } = repo.withEnv({ XDG_STATE_HOME: repo.beside('state') })
  return { ...repo, gza, tasks }
}

function inTheWay(path: string) {
  rmSync(path, { recursive: true, force: true })
  writeFileSync(path, '')
  return { path, repair: () => rmSync(path) }
}
