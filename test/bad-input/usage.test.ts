import { describe, expect, test } from 'bun:test'
import { add, aStartedRepo, ask, contents, show } from '../support/ledger-calls.ts'
import { refusalOf } from './refused-command.ts'

const repo = aStartedRepo()
add(repo, 'one')

describe('a command that does not exist', () => {
  test.each([
    ['lst', 'Did you mean gza list?'],
    ['shwo', 'Did you mean gza show?'],
    ['readdy', 'Did you mean gza ready?'],
    ['verfiy', 'Did you mean gza verify?'],
  ])('%s is answered with what was meant', (word, hint) => {
    expect(refusalOf(repo, [word])).toEqual({
      exit: 2,
      code: 'UNKNOWN_COMMAND',
      message: `Unknown command ${word}`,
      hint,
    })
  })

  test.each([
    'wrok',
    'wokr',
    'rn',
    'rnu',
    'mrege',
    'megre',
    'delte',
    'dleete',
    'prun',
    'kil',
    'rtery',
    'imporve',
    'reslove',
  ])('%s is never answered with a command that starts, lands or deletes something', (word) => {
    const { hint } = refusalOf(repo, [word])
    expect(hint).not.toMatch(/gza (work|run|retry|review|improve|merge|resolve|delete|prune|kill|undo|archive)\b/)
  })

  test.each([
    ['rm', 'People delete a task with gza delete ID'],
    ['create', 'A task is filed with gza add "…"'],
    ['close', 'A task is closed with gza done ID'],
    ['update', 'People change a task with gza edit ID'],
    ['comment', 'A note is added with gza note ID "…"'],
    [
      'start',
      'To do a task yourself: gza claim ID. To let an agent do it: gza work ID. To start an item of TODO.md: gza todo start N',
    ],
    ['cost', 'Cost and tokens: gza stats'],
    ['ls', 'Tasks are listed with gza list'],
  ])('%s, a word of other tools, is answered with the command that is meant, which is not run', (word, hint) => {
    const before = repo.git('for-each-ref')
    const message = `Unknown command ${word}`
    expect(refusalOf(repo, [word, '1'])).toEqual({ exit: 2, code: 'UNKNOWN_COMMAND', message, hint })
    expect(repo.tasks(word).stderr).toContain('git tasks ')
    expect(repo.git('for-each-ref')).toBe(before)
  })

  test.each(['xyzzyxyzzy', '42', 'constructor', '__proto__', 'toString', '🦄', ' list', 'LIST'])(
    '%j is refused',
    (word) => {
      expect(refusalOf(repo, [word])).toMatchObject({ exit: 2, code: 'UNKNOWN_COMMAND' })
    },
  )
})

describe('a flag that does not exist', () => {
  test.each([
    [['list', '--al'], '--al', 'Did you mean --all? See gza list --help'],
    [['add', 'x', '--prioritty', 'high'], '--prioritty', 'Did you mean --priority? See gza add --help'],
    [['merge', '1', '--yess'], '--yess', 'gza merge --help'],
    [['work', '--al'], '--al', 'gza work --help'],
    [['show', '1', '--verbose'], '--verbose', 'gza show --help'],
    [['list', '-z'], '-z', 'gza list --help'],
    [['list', '--constructor'], '--constructor', 'gza list --help'],
  ])('%j is answered with what was meant, or where to look', (argv, flag, hint) => {
    expect(refusalOf(repo, argv)).toEqual({ exit: 2, code: 'UNKNOWN_FLAG', message: `Unknown flag ${flag}`, hint })
  })

  test('before the command is refused too', () => {
    for (const name of ['gza', 'git-tasks'])
      expect(repo.run([name, '--nope', 'list'])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^Error: Unknown flag --nope before the command\n {2}\S.*\n$/),
      })
  })
})

describe('an argument that is missing or too much', () => {
  test.each([
    [['show'], 'ID is missing'],
    [['note'], 'ID is missing'],
    [['done'], 'ID is missing'],
    [['delete'], 'ID is missing'],
    [['edit'], 'ID is missing'],
    [['import'], 'FILE is missing'],
    [['query'], 'SQL is missing'],
    [['completion'], 'SHELL is missing'],
    [['show', '1', '2'], 'Unexpected argument "2"'],
    [['add', 'two', 'words'], 'Unexpected argument "words"'],
    [['list', 'view', 'what'], 'Unexpected argument "what"'],
    [['add', 'x', '--group'], '--group needs a value'],
    [['add', 'x', '--group', 'a', '--group', 'b'], '--group is given twice'],
    [['ready', '--__proto__'], 'Unexpected argument "--__proto__"'],
  ])('%j', (argv, message) => {
    expect(refusalOf(repo, argv)).toMatchObject({ exit: 2, code: 'USAGE', message })
  })

  test.each([
    [['resolve', '7'], 'gza resolve 7 --fixed|--skip|--reset|--abort|--resume'],
    [['assign', '7'], 'gza assign 7 NAME, or gza assign 7 --none'],
    [['assign', 'T1', 'ada', '--none'], 'gza assign T1 ada, or gza assign T1 --none'],
  ])('%j: the way out is for the task that was named', (argv, hint) => {
    expect(refusalOf(repo, argv)).toMatchObject({ exit: 2, code: 'USAGE', hint })
  })

  test('a guard without a command too', () => {
    for (const args of [['guard'], ['guard', '--']])
      expect(repo.gza(...args)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^Error: CMD is missing\n {2}\S/),
      })
  })
})

describe('a value that cannot be', () => {
  test.each([
    [
      ['add', 'x', '--type', 'epic'],
      "'epic' is not a valid type",
      'One of: task, explore, plan, implement, review, improve',
    ],
    [['add', 'x', '-t', ''], "'' is not a valid type", 'One of: task, explore, plan, implement, review, improve'],
    [
      ['list', '--type', 'epic'],
      "'epic' is not a valid type",
      'One of: task, explore, plan, implement, review, improve',
    ],
    [['add', 'x', '--priority', 'urgent'], "'urgent' is not a valid priority", 'One of: critical, high, medium, low'],
    [['edit', '1', '--priority', '1'], "'1' is not a valid priority", 'One of: critical, high, medium, low'],
    [
      ['add', 'x', '--estimated-complexity', '9'],
      "'9' is not a valid estimated complexity",
      'One of: low, medium, high',
    ],
    [['edit', '1', '--verdict', 'fine'], "'fine' is not a valid verdict", expect.stringContaining('APPROVED')],
    [['list', '--status', 'nearly'], "'nearly' is not a valid status", expect.stringContaining('pending')],
    [['list', '--status', 'done,nearly'], "'nearly' is not a valid status", expect.stringContaining('pending')],
    [['list', '--status', ''], "'' is not a valid status", expect.stringContaining('pending')],
  ])('%j', (argv, message, hint) => {
    expect(refusalOf(repo, argv)).toEqual({ exit: 2, code: 'BAD_VALUE', message, hint })
  })

  test.each([
    ['list', '--limit'],
    ['log', '--limit'],
    ['add', '--max-cycles'],
    ['add', '--max-attempts'],
  ])('%s %s takes nothing but a whole number above 0', (command, flag) => {
    for (const value of ['0', '-1', '1.5', '1e3', 'many', '', ' 1', '0x10', '9'.repeat(20), 'NaN', '１']) {
      const argv = [command, ...(command === 'add' ? ['x'] : []), `${flag}=${value}`]
      expect(refusalOf(repo, argv)).toMatchObject({ exit: 2, code: 'USAGE', message: expect.stringContaining(flag) })
    }
  })

  test('words of any case, and synonyms, are values', () => {
    const other = aStartedRepo()
    add(other, 'x', '--type', 'PLAN', '--priority', 'High')
    expect(show(other, 1)).toMatchObject({ type: 'plan', priority: 'high' })
    for (const status of ['done', 'completed', 'active', 'open', 'pending,blocked'])
      expect(other.gza('list', '--status', status).code).toBe(0)
  })
})

describe('a great many of everything', () => {
  test('200 flags are taken', () => {
    const other = aStartedRepo()
    const criteria = Array.from({ length: 200 }, (_, n) => `criterion ${n}, with a comma`)
    add(other, 'many', ...criteria.flatMap((text) => ['--accept', text]))
    expect(show(other, 1).acceptance_criteria).toEqual(criteria)
  })

  test('200 flags that do not exist are one error', () => {
    const flags = Array.from({ length: 200 }, (_, n) => `--nope-${n}`)
    expect(refusalOf(repo, ['list', ...flags])).toMatchObject({
      exit: 2,
      code: 'UNKNOWN_FLAG',
      message: 'Unknown flag --nope-0',
    })
  })

  test('500 tasks are done at once, and named once each', () => {
    const other = aStartedRepo()
    const stdin = Array.from({ length: 500 }, (_, n) => `- [ ] task ${n}`).join('\n')
    other.run(['gza', 'import', '-'], { stdin })
    const refs = Array.from({ length: 500 }, (_, n) => String(n + 1))
    expect(ask<unknown[]>(other, 'done', ...refs, ...refs)).toHaveLength(500)
    expect(contents(other, '--status', 'done')).toHaveLength(500)
  })

  test('an argument of 100 KB is a content like any other', () => {
    const other = aStartedRepo()
    const text = 'x'.repeat(100_000)
    add(other, text)
    expect(contents(other)).toEqual([text])
  })
})
