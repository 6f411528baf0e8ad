import { describe, expect, test } from 'bun:test'
import { taskLine } from '../../src/core/ledger/task-line.ts'
import { taskWithPrefix } from '../support/handmade-commits.ts'
import { exportedTasks } from '../support/ledger-answers.ts'
import { add, aStartedRepo, ask, contents, gza, show, tipOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { putBytes, textOf, writeBytes } from './ledger-bytes.ts'

/** Two clones that know the same task. */
function twoClones(): { here: Repo; there: Repo } {
  const origin = aRepo({ bare: true })
  const [here, there] = [origin.clone(), origin.clone()]
  add(here, 'known to both')
  for (const clone of [here, there]) gza(clone, 'sync')
  return { here, there }
}

/** A commit on top of the ledger whose tree also has the given entries, as mktree takes them, NUL at the end. */
function commitEntries(repo: Repo, ...entries: string[]): void {
  const old = repo.git('ls-tree', 'refs/tasks/main').split('\n')
  const tree = mktree(repo, [...old, ...entries])
  repo.git('update-ref', 'refs/tasks/main', repo.git('commit-tree', '-p', 'refs/tasks/main', '-m', 'by hand', tree))
}

function mktree(repo: Repo, entries: string[]): string {
  const { code, stdout, stderr } = repo.run(['git', 'mktree', '-z'], { stdin: entries.map((e) => `${e}\0`).join('') })
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}

/** `artifacts/` with one file in it, below folders of these names. */
function artifactEntry(repo: Repo, ...names: string[]): string {
  const [file, ...folders] = names.toReversed()
  const leaf = mktree(repo, [`100644 blob ${writeBytes(repo, Buffer.from('text'))}\t${file}`])
  const tree = folders.reduce((below, name) => mktree(repo, [`040000 tree ${below}\t${name}`]), leaf)
  return `040000 tree ${tree}\tartifacts`
}

describe('names in a remote’s ledger', () => {
  test('are names and nothing more: none can move a branch of the person who syncs', () => {
    const { here, there } = twoClones()
    const target = there.commit('first')
    there.commit('second')
    there.git('branch', 'victim')
    const before = there.git('rev-parse', 'victim')
    commitEntries(here, artifactEntry(here, 'x\nreset refs', 'heads', `victim\nfrom ${target}\n#`, 'y'))
    gza(here, 'sync')
    add(there, 'mine')
    expect(gza(there, 'sync')).toBe('main: joined with origin (2 tasks)')
    expect(there.git('rev-parse', 'victim')).toBe(before)
    expect(contents(there)).toEqual(['known to both', 'mine'])
  })

  test.each([
    ['a quote at its start', ['"quoted', '"x"']],
    ['a backslash and a blank', ['a\\n b', 'c\\']],
    ['letters of all kinds', ['ünïcödé', '日本語 👍']],
  ])('with %s arrive as they are', (_, names) => {
    const { here, there } = twoClones()
    commitEntries(here, artifactEntry(here, ...names))
    gza(here, 'sync')
    add(there, 'mine')
    gza(there, 'sync')
    const paths = there.git('ls-tree', '-r', '-z', '--name-only', 'refs/tasks/main').split('\0')
    expect(paths).toContain(`artifacts/${names.join('/')}`)
  })

  test.each([
    ['..', ['..', 'x']],
    ['.git', ['.git', 'config']],
    ['a control character', ['\u001b[2J', 'x']],
  ])('that git would not check out (%s) are left where they are', (_, names) => {
    const { here, there } = twoClones()
    commitEntries(here, artifactEntry(here, ...names))
    gza(here, 'sync')
    add(there, 'mine')
    expect(gza(there, 'sync')).toBe('main: joined with origin (2 tasks)')
    expect(there.git('ls-tree', '--name-only', 'refs/tasks/main')).toBe('format\ntasks.jsonl')
  })

  test('are not obeyed by a terminal when the guard refuses them to an agent', () => {
    const repo = aStartedRepo()
    add(repo, 'one')
    const honest = tipOf(repo)
    commitEntries(repo, artifactEntry(repo, '\u001b[2J', 'x'))
    const robbed = repo.git('commit-tree', '-p', 'refs/tasks/main', '-m', 'x\n\nMode: agent', `${honest}^{tree}`)
    const { code, stderr } = repo.gza('guard', '--', 'git', 'update-ref', 'refs/tasks/main', robbed)
    expect(code).not.toBe(0)
    expect(stderr).toContain('not allowed for agents')
    expect(stderr).not.toContain('\u001b')
  })
})

describe('a remote’s ledger that cannot be read', () => {
  function withOther(spoil: (repo: Repo) => string) {
    const { here, there } = twoClones()
    add(here, 'on other', '--branch', 'other')
    gza(here, 'sync')
    here.git('push', '--quiet', '--force', 'origin', `${spoil(here)}:refs/tasks/other`)
    add(there, 'mine')
    return there
  }

  test.each([
    ['a tree', (repo: Repo) => repo.git('rev-parse', 'refs/tasks/other^{tree}')],
    ['a blob', (repo: Repo) => writeBytes(repo, Buffer.from('no ledger'))],
    ['a newer release’s', (repo: Repo) => putBytes(repo, 'format', '2\n', 'other')],
  ])('because it is %s is left alone, and the others are exchanged', (_, spoil) => {
    const there = withOther(spoil)
    const { code, stdout, stderr } = there.gza('sync')
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: 'main: pushed to origin (2 tasks)\nother: not exchanged with origin (0 tasks)\n',
    })
    expect(stderr).toMatch(/^Warning: The tasks of other are not exchanged with origin: The ledger .*\n$/)
    expect(there.run(['git', 'rev-parse', '--verify', '--quiet', 'refs/tasks/other']).code).toBe(1)
    expect(contents(there)).toEqual(['known to both', 'mine'])
  })

  test('does not overwrite what is here', () => {
    const there = withOther((repo) => repo.git('rev-parse', 'refs/tasks/other^{tree}'))
    const id = add(there, 'mine too', '--branch', 'other')
    expect(there.gza('sync').code).toBe(1)
    expect(gza(there, 'list', '--branch', 'other')).toBe(`#1 ${id}: mine too`)
  })
})

describe('lines that somebody forged with plain git', () => {
  const forged = taskWithPrefix('f', 1)
  const edit = (field: string, value: unknown) => ({ field, n: 1, at: 'x', by: 'y', value })

  test.each([
    ['the id of another task', { id: 'task-0000' }, 'line: its id does not match its uid'],
    ['a number without a successor', { number: 2 ** 53 - 1 }, 'number: '],
    ['an edit of the wrong kind', { edits: [edit('content', 5)] }, 'edits.0: not a valid value for its field'],
    [
      'an edit that takes the content away',
      { edits: [edit('content', null)] },
      'edits.0: not a valid value for its field',
    ],
    [
      'an edit with a reference for a list',
      { edits: [edit('after', 'x')] },
      'edits.0: not a valid value for its field',
    ],
    ['a status nobody knows', { status: 'winning' }, 'status: '],
    ['notes that are none', { notes: ['text'] }, 'notes.0: '],
    ['references to no task', { after: 'task-1' }, 'after: '],
  ])('with %s are reported, kept, and stop nothing', (_, fields, why) => {
    const repo = aStartedRepo()
    const id = add(repo, 'honest')
    const line = JSON.stringify({ ...JSON.parse(taskLine(forged)), ...fields })
    const commit = putBytes(repo, 'tasks.jsonl', `${line}\n${textOf(repo)}`)
    expect(repo.gza('list')).toEqual({
      code: 0,
      stdout: `#1 ${id}: honest\n`,
      stderr: expect.stringContaining(`Warning: tasks.jsonl line 1 of refs/tasks/main cannot be read (${why}`),
    })
    add(repo, 'next')
    expect(textOf(repo).split('\n')).toContain(line)
    const [report] = ask<{ ok: boolean; first_bad: { commit: string } }[]>({ ...repo, gza: lenient(repo) }, 'verify')
    expect(report).toMatchObject({ ok: false, first_bad: { commit } })
  })

  test('with a content that neither birth nor edits give it are named by verify', () => {
    const repo = aStartedRepo()
    add(repo, 'honest')
    const commit = putBytes(
      repo,
      'tasks.jsonl',
      `${textOf(repo)}${taskLine({ ...forged, content: 'else', original: forged.content, number: 2 })}\n`,
    )
    const { code, stdout } = repo.gza('verify')
    expect(code).toBe(1)
    expect(stdout).toContain(
      `first bad commit: ${commit.slice(0, 7)} by Test <test@example.com>: ${forged.id}: its fields do not match its edits`,
    )
  })

  test('with a task that is there already are kept beside it', () => {
    const repo = aStartedRepo()
    const [one, two] = [add(repo, 'one'), add(repo, 'two')]
    const [line] = textOf(repo).split('\n') as [string]
    putBytes(repo, 'tasks.jsonl', `${textOf(repo)}${line}\n`)
    for (const _ of [1, 2]) {
      expect(repo.gza('list')).toEqual({
        code: 0,
        stdout: `#1 ${one}: one\n#2 ${two}: two\n`,
        stderr: `Warning: tasks.jsonl line 3 of refs/tasks/main cannot be read (${one} is here twice); it is kept unchanged\n`,
      })
      repo.run(['rm', '-r', '.git/gza'])
    }
    gza(repo, 'note', one, 'still works')
    expect(exportedTasks(repo).map(({ content }) => content)).toEqual(['one', 'two'])
    expect(
      textOf(repo)
        .split('\n')
        .filter((text) => text === line),
    ).toHaveLength(1)
    expect(show(repo, 1).notes).toEqual(['still works'])
  })
})

/** `verify` exits with 1, and its answer is what is wanted. */
function lenient(repo: Repo): Repo['gza'] {
  return (...args) => ({ ...repo.gza(...args), code: 0 })
}

test('a checkout that calls the ledger’s files binary hides no history', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'one')
  gza(repo, 'note', id, 'text')
  const log = gza(repo, 'log', id)
  repo.commit('attributes', { '.gitattributes': '* binary\n*.jsonl -diff\n' })
  repo.git('config', 'log.showSignature', 'true')
  repo.git('config', 'i18n.logOutputEncoding', 'ISO-8859-1')
  expect(gza(repo, 'log', id)).toBe(log)
  expect(log.split('\n')).toHaveLength(2)
})

describe('a forged step', () => {
  /** A note with other words, and a commit without history that has them too. */
  function withForgedNote(): { repo: Repo; tree: string; decoy: string } {
    const repo = aStartedRepo()
    add(repo, 'one')
    gza(repo, 'note', '1', 'true words')
    putBytes(repo, 'tasks.jsonl', textOf(repo).replace('true words', 'false words'), 'main')
    const tree = repo.git('rev-parse', 'refs/tasks/main^{tree}')
    repo.git('update-ref', 'refs/tasks/main', 'refs/tasks/main~1')
    return { repo, tree, decoy: repo.git('commit-tree', '-m', 'decoy', tree) }
  }

  function forge(repo: Repo, tree: string, mode: string): string {
    const message = `note x\n\nActor: someone\nMode: ${mode}\n`
    const commit = repo.git('commit-tree', '-p', 'refs/tasks/main', '-m', message, tree)
    repo.git('update-ref', 'refs/tasks/main', commit)
    return commit
  }

  const found = (commit: string, id: string) =>
    `first bad commit: ${commit.slice(0, 7)} by Test <test@example.com>: ${id}: a note vanished or was changed`

  test.each(['human\u001f', 'agent\u001f', 'human\u001f\u001f', 'human '])(
    'is not hidden by a trailer that brings parents along (%j)',
    (mode) => {
      const { repo, tree, decoy } = withForgedNote()
      const commit = forge(repo, tree, mode + decoy)
      expect(repo.gza('verify')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(found(commit, show(repo, 1).id)),
      })
    },
  )

  test('is not hidden by grafts, replaced objects or a history cut off', () => {
    const { repo, tree, decoy } = withForgedNote()
    const commit = forge(repo, tree, 'human')
    repo.write('.git/info/grafts', `${commit} ${decoy}\n`)
    repo.git('replace', '-f', commit, decoy)
    repo.write('.git/shallow', `${commit}\n`)
    expect(repo.gza('verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(found(commit, show(repo, 1).id)),
    })
  })

  test('is refused to an agent under the guard, whatever its trailer says', () => {
    const { repo, tree, decoy } = withForgedNote()
    const message = `note x\n\nActor: x\nMode: agent\u001f${decoy}\n`
    const commit = repo.git('commit-tree', '-p', 'refs/tasks/main', '-m', message, tree)
    const tip = tipOf(repo)
    expect(repo.gza('guard', '--', 'git', 'update-ref', 'refs/tasks/main', commit).code).not.toBe(0)
    expect(tipOf(repo)).toBe(tip)
  })
})

test.each(['99999999999999999 +0000', '0 +9999', '-5 +0000'])(
  'a commit of no calendar’s time (%s) has a log',
  (time) => {
    const repo = aStartedRepo()
    add(repo, 'one')
    const lines = [`tree ${repo.git('rev-parse', 'refs/tasks/main^{tree}')}`, `parent ${tipOf(repo)}`]
    const object = [...lines, `author A <a> ${time}`, `committer A <a> ${time}`, '', 'odd'].join('\n')
    const write = ['git', 'hash-object', '-t', 'commit', '-w', '--literally', '--stdin']
    repo.git('update-ref', 'refs/tasks/main', repo.run(write, { stdin: object }).stdout.trim())
    expect(repo.gza('log')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\w{7} \S+ unknown: odd\n/) })
    expect(contents(repo)).toEqual(['one'])
  },
)
