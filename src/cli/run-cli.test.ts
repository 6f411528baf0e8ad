import { describe, expect, test } from 'bun:test'
import { call } from '../../test/cli/call-command.ts'
import { TASKS } from '../../test/cli/displays.ts'
import { commandIndex } from './command-docs.ts'

const BEFORE =
  '  Before the command: -C DIR, --branch NAME, --json, --no-pager. Flags of a command follow it, as in gza list --all\n'

describe('a usage error ends with 2 and says what to do', () => {
  const cases: [string[], string][] = [
    [['lst'], 'Error: Unknown command lst\n  Did you mean gza list?\n'],
    [['frobnicate'], 'Error: Unknown command frobnicate\n  All commands: gza\n'],
    [['constructor'], 'Error: Unknown command constructor\n  All commands: gza\n'],
    [['list', '--statsu', 'done'], 'Error: Unknown flag --statsu\n  Did you mean --status? See gza list --help\n'],
    [['list', '--constructor', 'x'], 'Error: Unknown flag --constructor\n  gza list --help\n'],
    [['list', '-z'], 'Error: Unknown flag -z\n  gza list --help\n'],
    [
      ['list', '--limit', 'many'],
      'Error: --limit cannot be "many": it must be a whole number above 0\n  gza list --help\n',
    ],
    [['list', '--group'], 'Error: --group needs a value\n  gza list --help\n'],
    [['list', '--group', 'a', '--group', 'b'], 'Error: --group is given twice\n  gza list --help\n'],
    [
      ['add', 'two', 'words'],
      'Error: Unexpected argument "words"\n  Put quotes around text with spaces. See gza add --help\n',
    ],
    [['show'], 'Error: ID is missing\n  gza show --help\n'],
    [['done'], 'Error: ID is missing\n  gza done --help\n'],
    [['completion', 'tcsh'], 'Error: Unknown shell "tcsh"\n  Supported shells: bash, zsh, fish.\n'],
    [['--frob', 'list'], `Error: Unknown flag --frob before the command\n${BEFORE}`],
    [['--constructor'], `Error: Unknown flag --constructor before the command\n${BEFORE}`],
    [['-C'], `Error: -C needs a value\n${BEFORE}`],
    [['-C', '/no/such/folder', 'list'], 'Error: There is no folder /no/such/folder\n  Check the folder after -C.\n'],
  ]
  test.each(cases)('%j', async (argv, err) => {
    expect(await call(argv)).toEqual({ code: 2, out: '', err })
  })

  test('the words a user typed are never printed raw', async () => {
    expect((await call(['\x1b[2J'])).err).toBe('Error: Unknown command \\x1b[2J\n  All commands: gza\n')
  })

  test('called as git tasks, it prints git tasks', async () => {
    expect((await call(['lst'], TASKS)).err).toBe('Error: Unknown command lst\n  Did you mean git tasks list?\n')
  })

  test('with --json it is JSON on stdout, with the same exit code', async () => {
    const { code, out, err } = await call(['list', '--statsu', 'x', '--json'])
    expect({ code, err, ...JSON.parse(out) }).toEqual({
      code: 2,
      err: '',
      error: {
        code: 'UNKNOWN_FLAG',
        message: 'Unknown flag --statsu',
        hint: 'Did you mean --status? See gza list --help',
      },
    })
    expect(out.trimEnd()).not.toContain('\n')
  })
})

describe('help', () => {
  test('the program alone prints every command that is not hidden', async () => {
    const { code, out, err } = await call([])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const { name, brief, hidden } of commandIndex)
      expect(out.includes(`  ${name} `) && out.includes(brief)).toBe(!hidden)
    expect((await call(['--help'])).out).toBe(out)
  })

  test.each(commandIndex.map(({ name }) => name))(
    '%s --help has usage, flags and examples that name the program',
    async (name) => {
      const { code, out } = await call([name, '--help'], TASKS)
      expect(code).toBe(0)
      expect(out).toStartWith(`USAGE\n  git tasks ${name} `)
      expect(out).toContain('\nFLAGS\n')
      expect(out).toContain(`\nEXAMPLES\n  git tasks ${name}`)
      expect(out).toContain('--json')
    },
  )

  test('the help of a command is complete', async () => {
    expect((await call(['done', '-h'])).out).toBe(`USAGE
  gza done [FLAGS] ID...

Mark tasks as done. They are linked to the commits made for them or, without any, to the next commit
on this branch. A parent task is done when the last of its children is done.

ARGUMENTS
  ID  The tasks

FLAGS
  -n, --note TEXT    Append this note to them
      --branch NAME  The ledger of this branch instead of the current one
      --json         Print one JSON value
  -h, --help         Print this help

EXAMPLES
  gza done task-a3f8
  gza done 4 5 --note "Both fixed by the same change"
`)
  })

  test('help add is add --help', async () => {
    expect(await call(['help', 'add'])).toEqual(await call(['add', '--help']))
    expect(await call(['help'])).toEqual(await call(['--help']))
  })

  test('--version prints the version of package.json', async () => {
    const { version } = await Bun.file(`${import.meta.dir}/../../package.json`).json()
    expect(await call(['--version'])).toEqual({ code: 0, out: `gza ${version}\n`, err: '' })
    expect((await call(['-v'], TASKS)).out).toBe(`git-tasks ${version}\n`)
  })
})
