import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { HAS_SCRIPT } from '../support/has-script.ts'
import { add, aStartedRepo, contents, gza, show } from '../support/ledger-calls.ts'
import type { Repo, Result } from '../support/repo.ts'
import { refsOf, refusalOf } from './refused-command.ts'

const NO_CONTENT = {
  exit: 2,
  code: 'EMPTY_CONTENT',
  message: 'A task needs some content',
  hint: 'gza add "What is to be done"',
}
const NO_TEXT = {
  exit: 2,
  code: 'EMPTY_NOTE',
  message: 'A note needs some text',
  hint: 'gza note ID "what was learnt"',
}

describe('content that says nothing', () => {
  const repo = aStartedRepo()
  add(repo, 'one')

  test.each(['', ' ', '\n', ' \t\r\n ', '\u00a0\u2003', '\ufeff'])('%j is refused as an argument', (text) => {
    expect(refusalOf(repo, ['add', text])).toEqual(NO_CONTENT)
    expect(refusalOf(repo, ['edit', '1', '--content', text])).toEqual(NO_CONTENT)
    expect(refusalOf(repo, ['note', '1', text])).toEqual(NO_TEXT)
    expect(refusalOf(repo, ['done', '1', '--note', text])).toEqual(NO_TEXT)
  })

  test.each(['', ' \n\n', '\r\n'])('%j is refused from standard input', (stdin) => {
    expect(refusalOf(repo, ['add'], { stdin })).toEqual(NO_CONTENT)
    expect(refusalOf(repo, ['add', '-'], { stdin })).toEqual(NO_CONTENT)
    expect(refusalOf(repo, ['edit', '1', '--content', '-'], { stdin })).toEqual(NO_CONTENT)
    expect(refusalOf(repo, ['note', '1'], { stdin })).toEqual(NO_TEXT)
  })

  test('bytes that are not text, and a folder, are refused from standard input', () => {
    for (const name of ['gza', 'git-tasks']) {
      expect(repo.run(['sh', '-c', `printf 'a\\377b' | ${name} add`])).toEqual({
        code: 1,
        stdout: '',
        stderr: 'Error: Standard input is not UTF-8 text\n  Convert it first, for instance with iconv.\n',
      })
      expect(repo.run(['sh', '-c', `${name} add < /`])).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'Error: Standard input cannot be read: it is a folder\n  Name a text file, or give - and pipe the text in.\n',
      })
    }
  })

  test('an edit without any flag has nothing to change', () => {
    expect(refusalOf(repo, ['edit', '1'])).toMatchObject({ exit: 2, code: 'NOTHING_TO_CHANGE' })
    expect(contents(repo)).toEqual(['one'])
  })
})

// `script` gives the command a terminal, where no argument means the editor.
describe.if(HAS_SCRIPT)('an editor', () => {
  function withEditor(script: string): Repo {
    const repo = aStartedRepo()
    add(repo, 'one')
    chmodSync(repo.write('.git/editor', `#!/bin/sh\n${script}\n`), 0o755)
    return repo.withEnv({ GIT_EDITOR: `${repo.dir}/.git/editor`, TERM: 'dumb', TMPDIR: repo.env.HOME })
  }

  function onTerminal(repo: Repo, command: string): Result {
    const { code, stdout, stderr } = repo.run(['script', '-qec', command, '/dev/null'], { stdin: '' })
    return { code, stdout: stdout.replaceAll('\r\n', '\n'), stderr }
  }

  const drafts = (repo: Repo) => readdirSync(repo.env.HOME ?? '').filter((name) => name.startsWith('gza-'))

  test.each([
    ['left empty', 'true'],
    ['emptied', ': > "$1"'],
    ['filled with blanks', 'printf " \\n\\t\\n" > "$1"'],
  ])('that is %s adds nothing, and leaves no file behind', (_, script) => {
    const repo = withEditor(script)
    const before = refsOf(repo)
    for (const name of ['gza', 'git-tasks']) {
      expect(onTerminal(repo, `${name} add`)).toMatchObject({
        code: 2,
        stdout: expect.stringMatching(/^Error: A task/),
      })
      expect(onTerminal(repo, `${name} note 1`)).toMatchObject({
        code: 2,
        stdout: expect.stringMatching(/^Error: A n/),
      })
    }
    expect({ refs: refsOf(repo), drafts: drafts(repo) }).toEqual({ refs: before, drafts: [] })
  })

  test.each([
    ['fails', 'exit 3'],
    ['is killed', 'kill -9 $$'],
  ])('that %s changes nothing', (_, script) => {
    const repo = withEditor(script)
    const before = refsOf(repo)
    const said = /^(?:Killed\n)?Error: The editor \S+ ended with an error\n {2}Nothing was changed\.\n$/
    for (const command of ['gza add', 'git-tasks edit 1', 'gza note 1'])
      expect(onTerminal(repo, command)).toEqual({ code: 1, stdout: expect.stringMatching(said), stderr: '' })
    expect(drafts(repo)).toEqual([])
    expect({ refs: refsOf(repo), content: show(repo, 1).content }).toEqual({ refs: before, content: 'one' })
  })

  test('that takes its file away, or is not there, is an error like any other', () => {
    const gone = withEditor('rm "$1"')
    expect(onTerminal(gone, 'gza add')).toMatchObject({ code: 2, stdout: expect.stringMatching(/^Error: A task/) })
    const missing = gone.withEnv({ GIT_EDITOR: '/nowhere/editor' })
    expect(onTerminal(missing, 'gza add')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('/nowhere/editor'),
    })
    expect(gza(gone, 'list', '--json')).not.toContain('words')
    expect(existsSync(`${gone.dir}/.git/editor`)).toBe(true)
  })

  test.each([
    ['cannot be filed', 'echo "long thoughts" > "$1"', 'gza add --after 99', 'long thoughts\n'],
    ['was saved before the editor failed', 'echo "long thoughts" > "$1"; exit 3', 'gza add', 'long thoughts\n'],
    ['is no UTF-8', 'printf "caf\\351" > "$1"', 'git-tasks add', 'caf\ufffd'],
  ])('whose text %s loses no word of it', (_, script, command, text) => {
    const repo = withEditor(script)
    const { code, stdout } = onTerminal(repo, command)
    const kept = /is kept in (\S+)$/m.exec(stdout)?.[1] ?? ''
    expect({ code, text: repo.run(['cat', kept]).stdout }).toEqual({ code: 1, text })
    expect(contents(repo)).toEqual(['one'])
  })
})
