import { describe, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { HAS_SCRIPT } from '../support/has-script.ts'
import { idIn } from '../support/printed-ids.ts'
import { aRepo, type Repo } from '../support/repo.ts'

function contentOf(repo: Repo, ref: string): string {
  return JSON.parse(repo.gza('show', ref, '--json').stdout).content
}

describe('content from standard input', () => {
  test('a piped text is the content, newlines and all', () => {
    const repo = aRepo()
    expect(repo.run(['gza', 'add'], { stdin: 'Title\n\nbody | "quoted" 👩‍👩‍👧\n' }).code).toBe(0)
    expect(contentOf(repo, '1')).toBe('Title\n\nbody | "quoted" 👩‍👩‍👧')
  })

  test('- reads it too, for add, note and edit --content', () => {
    const repo = aRepo()
    repo.run(['gza', 'add', '-'], { stdin: 'From stdin' })
    repo.run(['gza', 'note', '1', '-'], { stdin: 'a note\n' })
    expect(repo.gza('show', '1').stdout).toEndWith('note: a note\n')
    repo.run(['gza', 'edit', '1', '--content', '-'], { stdin: 'Changed\n' })
    expect(contentOf(repo, '1')).toBe('Changed')
  })

  test('a megabyte arrives whole', () => {
    const repo = aRepo()
    const text = 'ä'.repeat(500_000)
    expect(repo.run(['gza', 'add', '--title', 'Large'], { stdin: text }).code).toBe(0)
    expect(contentOf(repo, '1')).toBe(text)
  })

  test('an empty one is refused, and so are bytes that are not text', () => {
    const repo = aRepo()
    expect(repo.gza('add')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Error: A task needs some content'),
    })
    const bytes = repo.run(['sh', '-c', `printf '\\377\\376' | "$0" add`, 'gza'])
    expect(bytes).toMatchObject({ code: 1, stderr: expect.stringContaining('Standard input is not UTF-8 text') })
    expect(repo.gza('list', '--json').stdout).toBe('[]\n')
  })
})

// `script` gives the command a terminal, where no argument means the editor.
describe.if(HAS_SCRIPT)('content from the editor', () => {
  function withEditor(script: string) {
    const repo = aRepo()
    const editor = repo.write('editor', `#!/bin/sh\n${script}\n`)
    chmodSync(editor, 0o755)
    return repo.withEnv({ GIT_EDITOR: editor, TERM: 'dumb' })
  }

  function onTerminal(repo: Repo, command: string) {
    return repo.run(['script', '-qec', command, '/dev/null'], { stdin: '' })
  }

  test('add takes what is above the line, headings included', () => {
    const repo = withEditor(
      'grep -q ">8" "$1" && { printf "# Title\\n\\nbody\\n"; cat "$1"; } > "$1.new" && mv "$1.new" "$1"',
    )
    expect(onTerminal(repo, 'gza add --type plan').stdout).toMatch(/^Created task #1 \(task-\w+\): # Title\r\n$/)
    expect(contentOf(repo, '1')).toBe('# Title\n\nbody')
  })

  test('edit opens the content that is there', () => {
    const repo = withEditor('sed -i s/sessions/JWT/ "$1"')
    repo.gza('add', 'Use sessions')
    expect(onTerminal(repo, 'gza edit 1').code).toBe(0)
    expect(contentOf(repo, '1')).toBe('Use JWT')
  })

  test('an editor that fails changes nothing, and an empty text is refused', () => {
    expect(onTerminal(withEditor('exit 3'), 'gza add').code).toBe(1)
    expect(onTerminal(withEditor('true'), 'gza add').code).toBe(2)
  })

  test('what was written is kept when the task cannot be added', () => {
    const repo = withEditor('echo "long thoughts" > "$1"')
    const { code, stdout } = onTerminal(repo, 'gza add --after 99')
    const kept = /Your text is kept in (\S+)/.exec(stdout)?.[1] ?? ''
    expect(code).toBe(1)
    expect(repo.run(['cat', kept]).stdout).toBe('long thoughts\n')
    repo.run(['rm', '-r', kept.replace(/\/TASK.md$/, '')])
  })
})

describe('in a folder that is not a repository', () => {
  test('one clear error, and exit code 1', () => {
    const repo = aRepo()
    const { code, stdout, stderr } = repo.run(['gza', 'list'], { cwd: '/' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Error: Not a git repository: \/\n {2}\S/)
  })

  test('an unknown id, and a prefix that two tasks share', () => {
    const repo = aRepo()
    idIn(repo.gza('add', 'One'))
    repo.gza('add', 'Two')
    for (const ref of ['99', 'task-', 'nonsense']) {
      const { code, stderr } = repo.gza('show', ref)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^Error: .+\n {2}\S/) })
    }
  })
})
