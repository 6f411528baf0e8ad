import { describe, expect, test } from 'bun:test'
import { idIn, printed } from '../support/printed-ids.ts'
import { aRepo } from '../support/repo.ts'

describe('import and export', () => {
  const checklist = '# Plan\n\n- [ ] One\n  - [ ] Half of one\n- [x] Two\n'

  test('a checklist is imported in one commit, from a file relative to the current folder', () => {
    const repo = aRepo()
    repo.write('sub/TODO.md', checklist)
    expect(repo.run(['gza', 'import', 'TODO.md', '--dry-run'], { cwd: `${repo.dir}/sub` })).toEqual(
      printed('new: One\nnew: Half of one\nnew: Two\nWould import 3 tasks\n'),
    )
    expect(repo.gza('list', '--json').stdout).toBe('[]\n')
    expect(repo.tasks('import', 'sub/TODO.md')).toEqual(printed('Imported 3 tasks\n'))
    expect(repo.gza('log').stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(repo.gza('show', '1', '--json').stdout).children).toHaveLength(1)
  })

  test('what export writes, import reads elsewhere, and a second time it changes nothing', () => {
    const repo = aRepo()
    repo.run(['gza', 'import', '-'], { stdin: checklist })
    const lines = repo.gza('export').stdout
    const other = aRepo()
    expect(other.run(['gza', 'import', '-'], { stdin: lines })).toEqual(printed('Imported 3 tasks\n'))
    expect(other.gza('export').stdout).toBe(lines)
    expect(other.run(['gza', 'import', '-'], { stdin: lines })).toEqual(printed('Imported 0 tasks, 3 already here\n'))
    expect(repo.gza('export', '--markdown').stdout).toContain('- [x] ')
    expect(repo.gza('export', '--csv').stdout.split('\n')).toHaveLength(5)
    expect(JSON.parse(repo.gza('export', '--json').stdout)).toHaveLength(3)
  })

  test('two formats at once, a missing file and an unknown format are usage errors', () => {
    const repo = aRepo()
    expect(repo.gza('export', '--csv', '--markdown').stderr).toBe(
      'Error: --markdown and --csv cannot be combined\n  gza export --help\n',
    )
    expect(repo.gza('import', 'nowhere.md')).toMatchObject({
      code: 2,
      stderr:
        'Error: nowhere.md cannot be read: there is no such file\n  Name a text file, or give - and pipe the text in.\n',
    })
    expect(repo.gza('import', '-', '--format', 'markdwon')).toMatchObject({
      code: 2,
      stderr: 'Error: --format cannot be "markdwon"\n  Allowed values: markdown, jsonl.\n',
    })
  })
})

describe('the history of a ledger', () => {
  test('log has a line a change, and those of one task on request', () => {
    const repo = aRepo({ env: { ZAGI_AGENT: 'claude-code' } })
    const a = idIn(repo.tasks('add', 'One'))
    const b = idIn(repo.tasks('add', 'Two'))
    repo.tasks('done', a)
    const subjects = (...args: string[]) =>
      repo
        .tasks('log', ...args)
        .stdout.trimEnd()
        .split('\n')
        .map((line) => line.replace(/^[0-9a-f]{7} \S+Z /, ''))
    const who = 'claude-code (agent)'
    expect(subjects()).toEqual([`${who}: done ${a}`, `${who}: add ${b}`, `${who}: add ${a}`])
    expect(subjects(b)).toEqual([`${who}: add ${b}`])
    expect(subjects('--limit', '1')).toEqual([`${who}: done ${a}`])
  })

  test('undo takes the last change back and says which', () => {
    const repo = aRepo()
    const a = idIn(repo.gza('add', 'One'))
    repo.gza('done', '1')
    expect(repo.gza('undo').stdout).toMatch(
      new RegExp(`^Undone: done ${a} \\([0-9a-f]{7}\\)\n  #1 ${a}: One \\(completed → pending\\)\n$`),
    )
    expect(repo.gza('list').stdout).toBe(`#1 ${a}: One\n`)
  })

  test('verify is content with an honest ledger, and names the first bad commit of another', () => {
    const repo = aRepo()
    const a = idIn(repo.gza('add', 'One'))
    expect(repo.gza('verify')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^main: ok \(1 commit, 1 task\)\n/),
    })
    const forged = forge(repo.gza('export').stdout.replace('"One"', '"Else"'), repo)
    const { code, stdout } = repo.gza('verify')
    expect(code).toBe(1)
    expect(stdout).toStartWith('main: NOT OK (2 commits, 1 task)\n')
    expect(stdout).toContain(`  first bad commit: ${forged.slice(0, 7)} `)
    expect(stdout).toContain(a)
    const [report] = JSON.parse(repo.gza('verify', '--json').stdout)
    expect(report).toMatchObject({ ok: false, first_bad: { commit: forged } })
  })
})

/** Somebody with plain git puts another text into the ledger, as an agent's commit. */
function forge(lines: string, repo: ReturnType<typeof aRepo>): string {
  const blob = repo.run(['git', 'hash-object', '-w', '--stdin'], { stdin: lines }).stdout.trim()
  const tree = repo.run(['git', 'mktree'], { stdin: `100644 blob ${blob}\ttasks.jsonl\n` }).stdout.trim()
  const message = 'edit\n\nActor: evil\nMode: agent\n'
  const commit = repo.git('commit-tree', tree, '-p', 'refs/tasks/main', '-m', message)
  repo.git('update-ref', 'refs/tasks/main', commit)
  return commit
}

describe('ledgers and other places', () => {
  test('sync carries tasks through a remote, and says what it did', () => {
    const origin = aRepo({ bare: true })
    const [here, there] = [origin.clone(), origin.clone()]
    here.gza('add', 'One')
    expect(here.gza('sync')).toEqual(printed('main: pushed to origin (1 task)\n'))
    expect(here.gza('sync')).toEqual(printed('main: the same as on origin (1 task)\n'))
    expect(there.gza('sync')).toEqual(printed('main: pulled from origin (1 task)\n'))
    there.gza('add', 'Two')
    here.gza('add', 'Three')
    there.gza('sync')
    expect(here.gza('sync')).toEqual(printed('main: joined with origin (3 tasks)\n'))
  })

  test('prune archives the ledger of a branch that is gone, and brings it back', () => {
    const repo = aRepo()
    repo.commit('first')
    expect(repo.gza('prune')).toEqual(printed('Nothing to archive: every ledger has its branch\n'))
    repo.gza('add', 'Lost', '--branch', 'gone', '--create')
    expect(repo.gza('prune', '--dry-run', '--archive-open').stdout).toBe(
      'gone: would be archived as refs/tasks-archive/gone (1 open task)\n',
    )
    expect(repo.gza('prune', '--archive-open').stdout).toBe('gone: archived as refs/tasks-archive/gone (1 open task)\n')
    expect(repo.gza('prune', '--restore', 'gone')).toEqual(printed('gone: restored\n'))
    expect(repo.gza('list', '--branch', 'gone').stdout).toContain('Lost')
  })

  test('query prints a table, and refuses to write', () => {
    const repo = aRepo()
    repo.gza('add', 'One', '--assigned-agent', 'backend')
    repo.gza('add', '二つ')
    expect(repo.gza('query', 'SELECT id, content, assigned_agent FROM tasks ORDER BY id')).toEqual(
      printed('id  content  assigned_agent\n1   One      backend\n2   二つ\n'),
    )
    expect(JSON.parse(repo.gza('query', 'SELECT count(*) AS n FROM tasks', '--json').stdout)).toEqual([{ n: 2 }])
    expect(repo.gza('query', 'DELETE FROM tasks').code).toBe(2)
  })
})

describe('setting up', () => {
  test('init says what it set up, doctor finds it well, and both again', () => {
    const repo = aRepo()
    repo.commit('first')
    for (const _ of [1, 2]) {
      const { code, stdout } = repo.gza('init')
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('refs/tasks/main\n') })
      const doctor = repo.gza('doctor')
      expect({ code: doctor.code, stderr: doctor.stderr }).toEqual({ code: 0, stderr: '' })
      expect(doctor.stdout).toStartWith('ok    git ')
    }
    expect(repo.git('status', '--porcelain')).toBe('')
  })

  test('doctor fails outside of a repository, and says what to do', () => {
    const { code, stdout } = aRepo().run(['gza', 'doctor'], { cwd: '/' })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^fail {2}repository {2}.*\n {18}\S/m)
  })

  test('trust shows, gives and takes back the trust in a configuration', () => {
    const repo = aRepo()
    repo.write('gza.yaml', 'ledger: main\n')
    expect(repo.gza('trust', '--show').stdout).toMatch(/^gza\.yaml: not trusted \([0-9a-f]{12}\)\n$/)
    expect(repo.gza('trust').stdout).toMatch(/^gza\.yaml: trusted /)
    expect(repo.gza('trust', '--revoke').stdout).toMatch(/^gza\.yaml: not trusted /)
  })

  test('shell-init puts the git shim first on PATH, once', () => {
    const repo = aRepo()
    const { stdout } = repo.run([
      'bash',
      '-c',
      'eval "$(gza shell-init)"; eval "$(gza shell-init bash)"; echo "$PATH"; command -v git',
    ])
    const [path = '', git = ''] = stdout.split('\n')
    expect(git).toBe(`${path.split(':')[0]}/git`)
    expect(path.split(':').filter((folder) => folder === path.split(':')[0])).toHaveLength(1)
  })

  test('guard hands over arguments and exit code as they are', () => {
    const repo = aRepo()
    repo.commit('first')
    const { code, stdout } = repo.gza('guard', '--', 'sh', '-c', 'echo "$1"; exit 7', 'sh', '--json')
    expect({ code, stdout }).toEqual({ code: 7, stdout: '--json\n' })
  })
})
