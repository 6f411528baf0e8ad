import { describe, expect, test } from 'bun:test'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { add, aStartedRepo, ask, contents, gza, show, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import { objectFile, putBytes, textOf, writeBytes } from './ledger-bytes.ts'
import { refusalOf } from './refused-command.ts'

const LONG = `Long\n\n${'words '.repeat(400)}`
const CALLS = [['list'], ['show', '1'], ['verify'], ['add', 'more'], ['done', '1']]

function aLedger(): Repo {
  const repo = aStartedRepo()
  add(repo, 'one')
  add(repo, 'two')
  return repo
}

function forgetIndex(repo: Repo): void {
  rmSync(join(repo.dir, '.git/gza'), { recursive: true, force: true })
}

describe('a ledger of a newer release', () => {
  test.each(['2\n', '2', '17\n', 'not a number\n'])('(format %j) is refused for reading and for writing', (format) => {
    const repo = aLedger()
    putBytes(repo, 'format', format)
    const shown = Number.parseInt(format, 10)
    for (const argv of CALLS) {
      expect(refusalOf(repo, argv)).toEqual({
        exit: 1,
        code: 'LEDGER_TOO_NEW',
        message: `The ledger at ${tipOf(repo).slice(0, 7)} was written by a newer gza (format ${shown}, this one reads 1)`,
        hint: 'Nothing was changed. Upgrade gza: npm i -g git-tasks',
      })
    }
    expect(repo.gza('doctor')).toMatchObject({ code: 1, stdout: expect.stringContaining('written by a newer gza') })
  })

  test('does not matter on another branch', () => {
    const repo = aLedger()
    putBytes(repo, 'format', '2\n')
    repo.git('checkout', '--quiet', '-b', 'other')
    expect(repo.gza('list')).toMatchObject({ code: 0, stderr: 'No open tasks on other. Add one: gza add "…"\n' })
    const id = add(repo, 'here')
    expect(gza(repo, 'list')).toBe(`#1 ${id}: here`)
  })
})

describe('a ledger’s ref', () => {
  const point = (repo: Repo, text: string) => writeFileSync(join(repo.dir, '.git/refs/tasks/main'), text)

  test.each([
    ['a blob', (repo: Repo) => writeBytes(repo, Buffer.from('no ledger')), 'it is a blob, not a commit'],
    ['a tree', (repo: Repo) => repo.git('rev-parse', 'refs/tasks/main^{tree}'), 'it is a tree, not a commit'],
    ['an object that is missing', () => '12345678'.repeat(5), 'the commit is missing or damaged'],
  ])('that points at %s is refused, with and without an index', (_, oidOf, why) => {
    const repo = aLedger()
    const oid = oidOf(repo)
    point(repo, `${oid}\n`)
    for (const round of ['with', 'without']) {
      if (round === 'without') forgetIndex(repo)
      for (const argv of CALLS) {
        expect(refusalOf(repo, argv)).toEqual({
          exit: 1,
          code: 'LEDGER_DAMAGED',
          message: `The ledger cannot be read at ${oid.slice(0, 7)}: ${why}`,
          hint: 'Nothing was changed. git fsck shows what is missing, and git reflog refs/tasks/NAME shows earlier commits of the ledger.',
        })
      }
    }
    expect(repo.gza('doctor')).toMatchObject({ code: 1, stdout: expect.stringContaining(why) })
  })

  test.each(['', '\n', 'garbage\n', `${'z'.repeat(40)}\n`, `${'0'.repeat(40)}\n`])(
    'that reads %j is refused',
    (text) => {
      const repo = aLedger()
      const tip = tipOf(repo)
      point(repo, text)
      for (const argv of CALLS) expect(refusalOf(repo, argv)).toMatchObject({ exit: 1, code: expect.any(String) })
      point(repo, `${tip}\n`)
      expect(contents(repo)).toEqual(['one', 'two'])
    },
  )

  test('that points at a tag is followed to its commit, and moved on from there', () => {
    const repo = aLedger()
    repo.git('tag', '--annotate', '--message', 'a tag', 'marked', 'refs/tasks/main')
    point(repo, `${repo.git('rev-parse', 'marked')}\n`)
    expect(contents(repo)).toEqual(['one', 'two'])
    add(repo, 'three')
    expect(contents(repo)).toEqual(['one', 'two', 'three'])
    expect(repo.gza('verify').code).toBe(0)
  })

  test('that is only a symbolic ref to another ref is refused, and the other stays where it is', () => {
    const repo = aLedger()
    repo.git('symbolic-ref', 'refs/tasks/main', 'refs/heads/main')
    for (const argv of [...CALLS, ['undo'], ['edit', '1', '--title', 'x'], ['import', '-']]) {
      expect(refusalOf(repo, argv, { stdin: '- [ ] three\n' })).toMatchObject({ exit: 1, code: 'REF_SYMBOLIC' })
    }
    expect(repo.gza('doctor')).toMatchObject({ code: 1, stdout: expect.stringContaining('refs/heads/main') })
    expect(repo.git('log', '--format=%s', 'main')).toBe('first')
  })

  test('of a branch that is gone and is a symbolic ref to another branch takes nothing with it', () => {
    const repo = aLedger()
    repo.git('symbolic-ref', 'refs/tasks/gone', 'refs/heads/main')
    repo.gza('prune', '--archive-open')
    expect(repo.git('log', '--format=%s', 'main')).toBe('first')
    expect(contents(repo)).toEqual(['one', 'two'])
  })

  test('that points at a commit without any file is an empty ledger', () => {
    const repo = aStartedRepo()
    const empty = repo.run(['git', 'mktree'], { stdin: '' }).stdout.trim()
    repo.git('update-ref', 'refs/tasks/main', repo.git('commit-tree', '-m', 'empty', empty))
    expect(repo.gza('list')).toMatchObject({ code: 0, stdout: '' })
    expect(repo.gza('verify').code).toBe(0)
    add(repo, 'first')
    expect(contents(repo)).toEqual(['first'])
  })
})

describe('an object of a ledger', () => {
  const blobOf = (repo: Repo, path: string) => repo.git('rev-parse', `refs/tasks/main:${path}`)

  test.each([
    ['the commit', (repo: Repo) => tipOf(repo)],
    ['the tree', (repo: Repo) => repo.git('rev-parse', 'refs/tasks/main^{tree}')],
    ['tasks.jsonl', (repo: Repo) => blobOf(repo, 'tasks.jsonl')],
    ['format', (repo: Repo) => blobOf(repo, 'format')],
  ])('that is missing (%s) is never taken for empty', (_, oidOf) => {
    const repo = aLedger()
    const file = objectFile(repo, oidOf(repo))
    forgetIndex(repo)
    rmSync(file)
    for (const argv of CALLS) expect(refusalOf(repo, argv)).toMatchObject({ exit: 1, code: 'LEDGER_DAMAGED' })
  })

  test('that is missing under an index which is current stops the writers', () => {
    const repo = aLedger()
    rmSync(objectFile(repo, tipOf(repo)))
    for (const argv of [['verify'], ['log'], ['undo'], ['add', 'more'], ['note', '1', 'more']])
      expect(refusalOf(repo, argv)).toMatchObject({ exit: 1, code: expect.stringMatching(/^(LEDGER|REPO)_DAMAGED$/) })
  })

  test.each([
    ['cut off', (file: string) => truncateSync(file, 20)],
    ['emptied', (file: string) => truncateSync(file, 0)],
    ['overwritten', (file: string) => writeFileSync(file, 'not an object')],
  ])('that is %s is never taken for empty', (_, spoil) => {
    const repo = aLedger()
    const file = objectFile(repo, blobOf(repo, 'tasks.jsonl'))
    forgetIndex(repo)
    repo.run(['chmod', 'u+w', file])
    spoil(file)
    for (const argv of [['list'], ['add', 'more'], ['verify']])
      expect(refusalOf(repo, argv)).toMatchObject({ exit: 1, code: expect.stringMatching(/^(LEDGER|REPO)_DAMAGED$/) })
  })
})

describe('a large task whose own file', () => {
  const largeFile = (repo: Repo) =>
    /large\/\S+/.exec(repo.git('ls-tree', '-r', '--name-only', 'refs/tasks/main'))?.[0] ?? ''

  test.each([
    ['is gone', () => null, 'missing'],
    ['is cut off', (text: string) => text.slice(0, 500), 'not JSON'],
    ['is no UTF-8', (text: string) => Buffer.concat([Buffer.from(text.trim()), Buffer.of(0xff)]), 'not UTF-8'],
    ['holds another task', (text: string) => text.replaceAll('"uid":"', '"uid":"0000'), 'uid: '],
  ])('%s is reported, its line kept, and the others load', (_, spoil, why) => {
    const repo = aLedger()
    add(repo, LONG)
    const path = largeFile(repo)
    const [line = ''] = textOf(repo)
      .split('\n')
      .filter((text) => text.includes(path))
    putBytes(repo, path, spoil(textOf(repo, path)))
    for (const round of ['with', 'without']) {
      if (round === 'without') forgetIndex(repo)
      const { code, stdout, stderr } = repo.gza('list', '--json')
      expect({ code, titles: JSON.parse(stdout).map(({ title }: { title: string }) => title) }).toEqual({
        code: 0,
        titles: ['one', 'two'],
      })
      expect(stderr).toStartWith(`Warning: tasks.jsonl line 3 of refs/tasks/main cannot be read (${path}: ${why}`)
    }
    add(repo, 'four')
    expect(textOf(repo).split('\n')).toContain(line)
    expect(repo.gza('verify')).toMatchObject({ code: 1 })
  })

  test('comes back is whole again', () => {
    const repo = aLedger()
    const id = add(repo, LONG)
    const path = largeFile(repo)
    const text = textOf(repo, path)
    putBytes(repo, path, null)
    expect(contents(repo)).toEqual(['one', 'two'])
    putBytes(repo, path, text)
    expect(show(repo, id).content).toBe(LONG.trim())
    expect(ask<unknown[]>(repo, 'list')).toHaveLength(3)
  })
})

test('a ledger that cannot be read hides no other where all are asked for', () => {
  const repo = aLedger()
  repo.git('update-ref', 'refs/tasks/odd', repo.git('hash-object', '-w', '.git/HEAD'))
  const why = `The ledger cannot be read at ${tipOf(repo, 'odd').slice(0, 7)}: it is a blob, not a commit`
  const warning = `Warning: refs/tasks/odd is ignored: ${why}\n`
  const listed = repo.gza('list', '--all-branches')
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('[main]'), stderr: warning })
  expect(repo.gza('prune', '--archive-open')).toEqual({
    code: 0,
    stdout: 'Nothing to archive: every ledger has its branch\n',
    stderr: warning,
  })
  const { code, stdout } = repo.gza('verify', '--all-branches')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^main: ok/m)
  expect(stdout).toContain('odd: NOT OK (0 commits, 0 tasks)\n')
  expect(stdout).toContain(why)
})
