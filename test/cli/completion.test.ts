import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { idIn } from '../support/printed-ids.ts'
import { aRepo } from '../support/repo.ts'

const repo = aRepo()
const id = idIn(repo.gza('add', 'One', '--key', 'T2-a'))
repo.gza('add', 'Two')

function candidates(...words: string[]): string[] {
  return repo
    .gza('__complete', '--', ...words)
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '')
}

describe('candidates', () => {
  test('commands, by their beginning', () => {
    expect(candidates('d')).toEqual(['delete', 'done', 'demo', 'diff', 'doctor'])
    expect(candidates('pr')).toEqual(['prompt', 'pr', 'prune'])
    expect(candidates('')).not.toContain('__complete')
  })

  test('flags once a dash is typed, without those already given', () => {
    expect(candidates('list', '--a')).toEqual(['--all', '--all-branches', '--agent'])
    expect(candidates('list', '--all', '--al')).toEqual(['--all-branches'])
  })

  test('words of a flag', () => {
    expect(candidates('add', '--type', 'p')).toEqual(['plan'])
    expect(candidates('list', '--status', '=', 'do')).toEqual(['done'])
    expect(candidates('list', '--status=do')).toEqual(['--status=done'])
    expect(candidates('add', 'x', '--after=T')).toEqual(['--after=T2-a'])
  })

  test('branches, ledgers and archived ledgers, each where it is meant', () => {
    const other = aRepo()
    other.commit('first')
    other.git('branch', 'feature')
    other.gza('add', 'Lost', '--branch', 'gone', '--create')
    other.gza('prune', '--archive-open')
    other.gza('add', 'One')
    const complete = (...words: string[]) =>
      other
        .gza('__complete', '--', ...words)
        .stdout.split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t')[0])
    for (const words of [
      ['move', '1', '--to'],
      ['list', '--branch'],
      ['prune', '--move-to'],
      ['merge', '--into'],
    ])
      expect([words, complete(...words, '')]).toEqual([words, ['feature', 'main']])
    expect(complete('move', '--open', '--from', '')).toEqual(['main'])
    expect(complete('prune', '--restore', '')).toEqual(['gone'])
  })

  test('no name that a shell would obey: bash inserts candidates as they are', () => {
    const other = aRepo()
    other.commit('first')
    for (const name of ['plain/name', '$(touch$IFS$9pwned)', 'a`id`', "it's", 'a;b', 'a&b']) other.git('branch', name)
    other.gza('add', 'One', '--key', '$(id)')
    const complete = (...words: string[]) => other.gza('__complete', '--', ...words).stdout
    expect(complete('list', '--branch', '').split(/[\t\n]/)).toContain('plain/name')
    for (const words of [
      ['list', '--branch', ''],
      ['show', ''],
      ['show', '$'],
      ['merge', '--into', ''],
    ])
      expect(complete(...words)).not.toMatch(/^[^\t]*[$`';&]/m)
  })

  test('words that a command takes first', () => {
    expect(candidates('linear', '')).toEqual(['sync'])
    expect(candidates('todo', 's')).toEqual(['start'])
    expect(candidates('agents', '')).toEqual(['add', 'remove', 'resume'])
  })

  test('open tasks by id and key, or by number for digits, in the folder of -C', () => {
    expect(candidates('show', id.slice(0, 7))).toContain(id)
    expect(candidates('show', 'T')).toEqual(['T2-a'])
    expect(candidates('add', 'x', '--after', '1')).toEqual(['1'])
    const afar = repo.run(['gza', '__complete', '--', '-C', repo.dir, 'done', '2'], { cwd: '/' })
    expect(afar.stdout).toStartWith('2\t')
  })

  test('outside of a repository there are none, and no error', () => {
    expect(repo.run(['gza', '__complete', '--', 'show', ''], { cwd: '/' })).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe('the script for bash', () => {
  function complete(setup: string, words: string[], call: string): string[] {
    const line = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; ${call}; printf '%s\\n' "\${COMPREPLY[@]}"`
    return repo
      .run(['bash', '-c', `${setup}\neval "$(gza completion bash)"\n${line}`])
      .stdout.trimEnd()
      .split('\n')
  }

  test('completes gza and git-tasks', () => {
    expect(complete('', ['gza', 'comp'], '_gza')).toEqual(['completion'])
    expect(complete('', ['git-tasks', 'show', id], '_gza')).toEqual([id])
  })

  test('completes git tasks through the function that git looks for', () => {
    expect(complete('', ['git', 'tasks', 'exp'], '_git_tasks')).toEqual(['export'])
    expect(complete('', ['git', '--no-pager', 'tasks', 'add', '--par'], '_git_tasks')).toEqual(['--parent'])
  })

  const gitCompletion = '/usr/share/bash-completion/completions/git'
  test.if(existsSync(gitCompletion))("completes git tasks through git's own completion", () => {
    const setup = `. /usr/share/bash-completion/bash_completion 2>/dev/null; . ${gitCompletion}`
    const call = 'COMP_LINE="git tasks show T2"; COMP_POINT=17; __git_wrap__git_main'
    expect(complete(setup, ['git', 'tasks', 'show', 'T2'], call)).toEqual(['T2-a'])
  })
})

test.each(['zsh', 'fish'])('the script for %s asks the hidden command for both names', (shell) => {
  const { code, stdout } = repo.gza('completion', shell)
  expect(code).toBe(0)
  expect(stdout).toContain('__complete -- ')
  expect(stdout).toContain('git-tasks')
})

test.each([
  ['bash', 'save it twice in ~/.local/share/bash-completion/completions: as gza, and as git-tasks'],
  ['zsh', 'save it twice in a folder of $fpath: as _gza, and as _git-tasks'],
  ['fish', 'save it in ~/.config/fish/conf.d'],
])('the script for %s explains where to save it for git tasks too', (shell, place) => {
  expect(repo.gza('completion', shell).stdout).toContain(place)
})

test('the script for zsh takes quoted words, and serves git tasks from a file of its own, too', () => {
  const { stdout } = repo.gza('completion', 'zsh')
  expect(stdout).toContain('(@Q)words[2,CURRENT-1]')
  expect(stdout).toContain('(Q)PREFIX')
  expect(stdout).toContain('_git-tasks) _git-tasks "$@" ;;')
})

test('the script for fish offers git tasks where git wants a command, and files where gza has nothing to offer', () => {
  const { stdout } = repo.gza('completion', 'fish')
  expect(stdout).toContain(`complete -c git -n '__git_tasks_wanted ""' -f -a tasks`)
  expect(stdout).toContain(`complete -c git -n '__git_tasks_wanted tasks' -f -a '(__git_tasks_candidates)'`)
  expect(stdout).toContain('__fish_complete_path (commandline -ct)')
})
