import { describe, expect, test } from 'bun:test'
import { taskLine } from '../../src/core/ledger/task-line.ts'
import { taskWithPrefix } from '../support/handmade-commits.ts'
import { add, aStartedRepo, ask, gza, show } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { refusalOf } from './refused-command.ts'

const NAMING: [string, string[]][] = [
  ['show', ['show', 'REF']],
  ['log', ['log', 'REF']],
  ['note', ['note', 'REF', 'text']],
  ['edit', ['edit', 'REF', '--title', 'other']],
  ['done', ['done', 'REF']],
  ['delete', ['delete', 'REF']],
  ['add --after', ['add', 'more', '--after', 'REF']],
  ['add --depends-on', ['add', 'more', '--depends-on', 'REF']],
  ['add --based-on', ['add', 'more', '--based-on', 'REF']],
  ['add --parent', ['add', 'more', '--parent', 'REF']],
]

describe('an unknown task', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'known')

  test.each(NAMING)('is refused by %s', (_, argv) => {
    const named = argv.map((word) => (word === 'REF' ? '99' : word))
    expect(refusalOf(repo, named)).toEqual({
      exit: 1,
      code: 'TASK_NOT_FOUND',
      message: 'No task #99 on main',
      hint: 'gza list --all',
    })
  })

  test.each([
    ['#0', '#0'],
    ['-1', '-1'],
    ['nonsense', 'nonsense'],
    ['task-zzzz', 'task-zzzz'],
    ['0'.repeat(40), '0'.repeat(40)],
    ['9'.repeat(30), `#${'9'.repeat(30)}`],
    ['%', '%'],
    ["' OR 1=1 --", "' OR 1=1 --"],
    ['\u001b[2J', '\\x1b[2J'],
    ['🦄', '🦄'],
  ])('is refused whatever it is called: %j', (ref, shown) => {
    expect(refusalOf(repo, ['show', ref])).toMatchObject({ exit: 1, message: `No task ${shown} on main` })
  })

  test('is answered with what may have been meant', () => {
    expect(refusalOf(repo, ['show', 'task-'])).toMatchObject({
      exit: 1,
      message: `No task task- on main; did you mean ${id} known?`,
    })
  })

  test('is refused together with those that are known, and no task is touched', () => {
    expect(refusalOf(repo, ['done', '1', '99'])).toMatchObject({ exit: 1, code: 'TASK_NOT_FOUND' })
    expect(refusalOf(repo, ['delete', id, 'nope'])).toMatchObject({ exit: 1, code: 'TASK_NOT_FOUND' })
    expect(gza(repo, 'list')).toBe(`#1 ${id}: known`)
  })

  test('may be one that was deleted, and is then named as such', () => {
    const gone = add(repo, 'gone')
    gza(repo, 'delete', gone)
    expect(refusalOf(repo, ['show', gone])).toEqual({
      exit: 1,
      code: 'TASK_NOT_FOUND',
      message: `No task ${gone} on main: ${gone} gone was deleted`,
      hint: `gza restore ${gone}`,
    })
  })
})

describe('a task of another branch', () => {
  function withFeature(): { repo: Repo; id: string } {
    const repo = aStartedRepo()
    add(repo, 'here')
    repo.git('branch', 'feature')
    add(repo, 'first', '--branch', 'feature')
    return { repo, id: add(repo, 'there', '--key', 'T9', '--branch', 'feature') }
  }

  test('is named with its branch, by id, prefix, key and number, and the command given shows it', () => {
    const { repo, id } = withFeature()
    const { uid } = show(repo, id, '--branch', 'feature')
    for (const [ref, shown] of [[id], [`task-${uid.slice(0, 12)}`], ['t9'], ['2', '#2']] as const) {
      expect(refusalOf(repo, ['show', ref])).toEqual({
        exit: 1,
        code: 'TASK_NOT_FOUND',
        message: `No task ${shown ?? ref} on main: ${id} there is on feature`,
        hint: `gza show ${id} --branch feature`,
      })
    }
    expect(gza(repo, 'show', id, '--branch', 'feature')).toContain('there')
    expect(repo.tasks('show', id).stderr).toEndWith(`\n  git tasks show ${id} --branch feature\n`)
  })

  test.each(NAMING)('is named by %s, and nothing is changed', (_, argv) => {
    const { repo, id } = withFeature()
    const before = repo.git('for-each-ref')
    expect(
      refusalOf(
        repo,
        argv.map((word) => (word === 'REF' ? id : word)),
      ).message,
    ).toEndWith('there is on feature')
    expect(repo.git('for-each-ref')).toBe(before)
  })

  test('is found in a ledger that arrived after the index was last updated', () => {
    const { repo, id } = withFeature()
    repo.git('update-ref', 'refs/tasks/fetched', 'refs/tasks/feature')
    repo.git('update-ref', '-d', 'refs/tasks/feature')
    expect(refusalOf(repo, ['show', id]).message).toBe(`No task ${id} on main: ${id} there is on fetched`)
  })

  test('is named with each branch that has it; a number that several have says nothing', () => {
    const { repo, id } = withFeature()
    repo.git('update-ref', 'refs/tasks/copy', 'refs/tasks/feature')
    expect(refusalOf(repo, ['show', 'T9'])).toMatchObject({
      message: `No task T9 on main: ${id} there is on copy, ${id} there is on feature`,
      hint: `gza show ${id} --branch copy`,
    })
    expect(refusalOf(repo, ['show', '2'])).toMatchObject({ message: 'No task #2 on main', hint: 'gza list --all' })
  })

  test('is not named if it was deleted there, nor does a damaged ledger hide the error', () => {
    const { repo, id } = withFeature()
    gza(repo, 'delete', id, '--branch', 'feature')
    repo.git('update-ref', 'refs/tasks/odd', 'HEAD^{tree}')
    expect(refusalOf(repo, ['show', 'T9'])).toMatchObject({ message: 'No task T9 on main', hint: 'gza list --all' })
  })
})

test.each(['', ' ', '\t\n'])('an empty reference (%j) is a mistake in the call', (ref) => {
  const repo = aStartedRepo()
  add(repo, 'one')
  expect(refusalOf(repo, ['show', ref])).toEqual({
    exit: 2,
    code: 'EMPTY_REF',
    message: 'The task reference is empty',
    hint: 'gza list --all',
  })
  for (const flag of ['--after', '--depends-on', '--based-on', '--parent'])
    expect(refusalOf(repo, ['add', 'two', flag, ref])).toMatchObject({ exit: 2, code: 'EMPTY_REF' })
  expect(refusalOf(repo, ['add', 'two', '--key', ' '])).toMatchObject({ code: 'BAD_KEY', message: 'The key is blank' })
})

test('a prefix that two tasks share names both and what distinguishes them', () => {
  const repo = aRepo()
  const tasks = [taskWithPrefix('ab', 1), { ...taskWithPrefix('ab', 2), number: 2 }]
  repo.run(['gza', 'import', '-'], { stdin: tasks.map(taskLine).join('\n') })
  const [one, two] = ask<{ id: string; uid: string }[]>(repo, 'list').sort((a, b) => (a.uid < b.uid ? -1 : 1))
  const titles = new Map(ask<{ id: string; title: string }[]>(repo, 'list').map(({ id, title }) => [id, title]))
  const named = [one, two].map((task) => `${task?.id} ${titles.get(task?.id ?? '')}`).join(', ')
  for (const prefix of ['task-a', 'task-ab', 'TASK-AB']) {
    expect(refusalOf(repo, ['show', prefix])).toEqual({
      exit: 1,
      code: 'TASK_AMBIGUOUS',
      message: `${prefix} could be ${named}`,
      hint: `use the id: ${one?.id} or ${two?.id}`,
    })
  }
  expect(refusalOf(repo, ['add', 'x', '--after', 'task-ab'])).toMatchObject({ code: 'TASK_AMBIGUOUS' })
})

test('a key is given once, in any case, and its holder is named', () => {
  const repo = aRepo()
  const id = add(repo, 'one', '--key', 'T1')
  add(repo, 'two', '--key', 'T2')
  const refusal = {
    exit: 1,
    code: 'KEY_TAKEN',
    message: `The key t1 belongs to #1 (${id}): one`,
    hint: 'Nothing was changed. Choose another key, or change the other one first: gza edit 1 --key NEW',
  }
  expect(refusalOf(repo, ['add', 'three', '--key', 't1'])).toEqual(refusal)
  expect(refusalOf(repo, ['edit', '2', '--key', 't1'])).toEqual(refusal)
  repo.write('lines.jsonl', '{"content":"three","key":"T3"}\n{"content":"four","key":"t1"}\n')
  expect(refusalOf(repo, ['import', 'lines.jsonl'])).toMatchObject({
    code: 'BAD_IMPORT',
    message: `lines.jsonl line 2: ${refusal.message}`,
  })
  repo.write('lines.jsonl', '{"content":"three","key":"T3"}\n{"content":"four","key":"t3"}\n')
  expect(refusalOf(repo, ['import', 'lines.jsonl'])).toMatchObject({
    code: 'BAD_IMPORT',
    message: 'lines.jsonl line 2: another line already has the name t3',
  })
  gza(repo, 'edit', '1', '--key', 't1')
  gza(repo, 'delete', '1')
  gza(repo, 'edit', '2', '--key', 'T1')
})

test('a key that a join gave to two tasks is refused; show and doctor report it, and each task is still found by its id', () => {
  const origin = aRepo({ bare: true })
  const [ann, ben] = [origin.clone(), origin.clone()]
  const [one, two] = [add(ann, 'one', '--key', 'T1'), add(ben, 'two', '--key', 'T1')]
  for (const repo of [ann, ben, ann]) gza(repo, 'sync')
  expect(refusalOf(ann, ['show', 'T1'])).toMatchObject({ exit: 1, code: 'TASK_AMBIGUOUS' })
  expect(ann.gza('show', one)).toMatchObject({
    stdout: expect.stringContaining('key: T1'),
    stderr: expect.stringMatching(new RegExp(`^Warning: The key T1 is also the key of #\\d \\(${two}\\): two\n$`)),
  })
  const last = [one, two].find((id) => numberOf(ann, id) === 2)
  expect(ann.gza('doctor').stdout).toMatch(
    new RegExp(`warn  keys +main: T1 is the key of #1 \\(task-.*\\), #2 \\(${last}\\)\n +gza edit ${last} --key NEW\n`),
  )
  gza(ann, 'edit', two, '--key', 'T2')
  expect(ann.gza('show', 'T1')).toMatchObject({ code: 0, stderr: '' })
})

describe('a number that two clones gave out', () => {
  const [here, id, theirs] = afterTheClash()

  test('names the task that shows it, and one line names the other', () => {
    const [kept, moved] = [id, theirs].sort((a, b) => numberOf(here, a) - numberOf(here, b)) as [string, string]
    const shown = here.gza('show', '1', '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: kept })
    const names = `#1 is ${kept} ${titleOf(here, kept)}; before a merge it was also ${moved} (now #2) ${titleOf(here, moved)}`
    expect(shown.stderr).toBe(`Warning: ${names}\n`)
  })

  test('leaves both tasks there, each found by its id and by the number it has now', () => {
    for (const task of [id, theirs]) {
      expect(titleOf(here, task)).toBe(task === id ? 'mine' : 'theirs')
      const number = numberOf(here, task)
      expect(ask<{ id: string }>(here, 'show', String(number)).id).toBe(task)
    }
  })
})

function afterTheClash(): [Repo, string, string] {
  const origin = aRepo({ bare: true })
  const [here, there] = [origin.clone(), origin.clone()]
  const ids = [add(here, 'mine'), add(there, 'theirs')] as const
  for (const clone of [here, there, here]) gza(clone, 'sync')
  return [here, ...ids]
}

function numberOf(repo: Repo, id: string): number {
  return ask<{ number: number }>(repo, 'show', id).number
}

function titleOf(repo: Repo, id: string): string {
  return ask<{ title: string }>(repo, 'show', id).title
}
