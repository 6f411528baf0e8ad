import { describe, expect, test } from 'bun:test'
import { HAS_SCRIPT } from '../support/has-script.ts'
import { aRepo } from '../support/repo.ts'

const HOSTILE = '\x1b]0;title\x07\x1b[2J\x9b31m\u202egnp.exe\u2028\x7f'
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not come out
const RAW = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

test('no command prints a control character or bidi override of a task, whichever field it is in', () => {
  const repo = aRepo()
  repo.commit('first')
  const fields = ['--title', HOSTILE, '--group', HOSTILE, '--accept', HOSTILE, '--project', HOSTILE, '--key', HOSTILE]
  expect(repo.gza('add', HOSTILE, ...fields)).toMatchObject({ code: 0, stdout: expect.stringContaining('\\x1b[2J') })
  repo.run(['gza', 'note', '1', HOSTILE])
  repo.gza('add', `${HOSTILE}\nsecond line`, '--after', '1')
  const commands = [
    ['list'],
    ['list', '--json'],
    ['list', '--text', 'title'],
    ['search', 'title'],
    ['search', HOSTILE, 'title'],
    ['search', 'second', '--json'],
    ['ready'],
    ['next', '--all'],
    ['show', '1'],
    ['show', '2', '--json'],
    ['status'],
    ['status', HOSTILE],
    ['groups'],
    ['log'],
    ['pr'],
    ['export', '--jsonl'],
    ['export', '--markdown'],
    ['export', '--csv'],
    ['query', 'SELECT content FROM tasks'],
    ['show', HOSTILE],
    ['done', '1', '2'],
    ['undo'],
    ['redo'],
    ['delete', '1'],
    ['restore'],
    ['restore', '1'],
  ]
  for (const args of commands) {
    const { stdout, stderr } = repo.gza(...args)
    // The lines of CSV end with both.
    expect({ args, raw: RAW.exec((stdout + stderr).replaceAll('\r\n', '\n')) }).toEqual({ args, raw: null })
  }
})

describe('large outputs', () => {
  const many = aRepo()
  const count = 2000
  const lines = Array.from({ length: count }, (_, at) => `- [ ] Task ${at} ${'x'.repeat(60)}`)
  many.run(['gza', 'import', '-', '--format', 'markdown'], { stdin: `${lines.join('\n')}\n` })

  test('arrive whole through a pipe', () => {
    expect(many.gza('list').stdout.trimEnd().split('\n')).toHaveLength(count)
    expect(JSON.parse(many.gza('list', '--json').stdout)).toHaveLength(count)
  })

  test.if(Bun.which('python3') !== null)('a slow reader on a non-blocking pipe gets all of it', () => {
    const reader =
      'import fcntl,os,sys,time; fcntl.fcntl(1, fcntl.F_SETFL, os.O_NONBLOCK); os.execvp(sys.argv[1], sys.argv[1:])'
    const { stdout } = many.run(['sh', '-c', `python3 -c "${reader}" gza list | { sleep 0.3; wc -l; }`])
    expect(stdout.trim()).toBe(String(count))
  })

  test('a reader that leaves early ends the command silently with 0', () => {
    const { stdout, stderr } = many.run(['bash', '-c', 'gza list --json | head -c 10 >/dev/null; echo "$PIPESTATUS"'])
    expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' })
  })

  test('a full disk is an error', () => {
    const { code, stderr } = many.run(['sh', '-c', 'gza list > /dev/full'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Error: The output could not be written/),
    })
  })
})

describe.if(HAS_SCRIPT)('on a terminal', () => {
  const repo = aRepo({ env: { TERM: 'xterm' } })
  repo.gza('add', `Long ${'word '.repeat(60)}`)

  function shown(env: Record<string, string> = {}): string {
    return repo.run(['script', '-qec', 'stty cols 50; gza list', '/dev/null'], { stdin: '', env }).stdout.trimEnd()
  }

  test('titles are cut to its width and ids are coloured', () => {
    const line = shown()
    expect(Bun.stringWidth(line)).toBe(50)
    expect(line).toContain('\x1b[33m#1 task-')
  })

  test('NO_COLOR and a dumb terminal get the same text plain', () => {
    const plain = Bun.stripANSI(shown())
    expect(shown({ NO_COLOR: '1' })).toBe(plain)
    expect(shown({ TERM: 'dumb' })).toBe(plain)
  })
})
