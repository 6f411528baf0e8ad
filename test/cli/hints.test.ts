import { beforeAll, describe, expect, test } from 'bun:test'
import { aRepo, type Repo } from '../support/repo.ts'

/** What an error names as the next step. `$` stands for the program: `gza` or `git tasks`. */
const HINTS: [argv: string, hint: string][] = [
  ['show 99', '$ list --all'],
  ['show 6', '$ restore 6'],
  ['add', '$ add "What is to be done"'],
  ['add x --same-branch', '$ add --based-on 1 --same-branch'],
  ['add x --key K3', 'Nothing was changed. Choose another key, or change the other one first: $ edit 3 --key NEW'],
  ['edit 1', '$ edit ID --content "…" changes the text; $ edit --help lists the rest.'],
  ['done 4', 'Nothing was changed. $ done 5 closes it, and #4 with it.'],
  ['note 1', '$ note ID "what was learnt"'],
  ['archive', '$ archive 12, $ archive --older-than 30, or $ archive --restore'],
  ['archive 1', '$ done 1, or $ resolve 1 --skip'],
  ['claim 2', '$ claim --next'],
  ['claim 1 --next', '$ claim 1, or $ claim --next'],
  ['claim 7', '$ claim 7 --take-over'],
  ['release 1', '$ claim --next'],
  ['assign 1', '$ assign 1 NAME, or $ assign 1 --none'],
  ['assign 1 nobody', 'A new one: $ agents add nobody'],
  ['agents remove nobody', '$ agents'],
  ['resolve 1', '$ resolve 1 --fixed|--skip|--reset|--abort|--resume'],
  ['resolve 3 --fixed', '$ edit 3 --reopen'],
  ['retry #3', '$ edit 3 --reopen'],
  ['kill 1', '$ ps'],
  ['logs 1', '$ work 1'],
  ['work 2', '$ work 1'],
  ['work 3', '$ edit 3 --reopen'],
  ['review 1', '$ why 1'],
  ['merge', '$ merge 3 4; $ queue shows what is waiting'],
  ['diff 1', '$ work starts on what is ready'],
  ['status nope', 'Groups: v 1'],
  ['simulate --group nope', '$ groups'],
  ['query DELETE', '$ query "SELECT id, content FROM tasks"'],
  ['config nope', '$ config lists all settings.'],
  ['plan notes.md', '$ plan import notes.md'],
  ['split 4', '$ split 5'],
  ['import x --format jsonl --from beads', '$ import --help'],
  ['export --csv --markdown', '$ export --help'],
  ['linear push', '$ linear sync'],
  ['pr --title x', '$ pr --help'],
  ['sync', '$ sync a (remotes: a, b)'],
  ['sync --remote', '$ sync --help'],
  ['todo nope', '$ todo, $ todo start 3, $ todo done 3, $ todo link 3 ID'],
  ['todo start 9', 'It has 1 to 1: $ todo'],
  ['todo link 1 5', 'An item must be a whole task: $ todo link 1 ID'],
  ['shwo', 'Did you mean $ show?'],
  ['list --stauts', 'Did you mean --status? See $ list --help'],
]

let repo: Repo

beforeAll(() => {
  repo = aRepo()
  repo.commit('first', { 'TODO.md': '- [ ] One\n' })
  repo.gza('add', 'First', '--group', 'v 1')
  repo.gza('add', 'Second', '--depends-on', '1')
  repo.gza('add', 'Third', '--key', 'K3')
  repo.gza('done', '3')
  repo.gza('add', 'Parent')
  repo.gza('add', 'Explain gza done', '--parent', '4')
  repo.gza('add', 'Sixth, as gza show does')
  repo.gza('delete', '6')
  repo.gza('add', 'Seventh')
  repo.gza('claim', '7')
  repo.git('remote', 'add', 'a', repo.dir)
  repo.git('remote', 'add', 'b', repo.dir)
})

describe('a hint names commands as its reader calls them', () => {
  test.each(HINTS)('%s', (argv, hint) => {
    const words = argv.split(' ')
    const asked = { gza: repo.gza(...words, '--json').stdout, tasks: repo.tasks(...words, '--json').stdout }
    expect({ gza: hintIn(asked.gza), tasks: hintIn(asked.tasks) }).toEqual({
      gza: hint.replaceAll('$', 'gza'),
      tasks: hint.replaceAll('$', 'git tasks'),
    })
  })
})

test('without --json the hint is the second line', () => {
  expect(repo.gza('show', '99').stderr).toEndWith('\n  gza list --all\n')
  expect(repo.tasks('show', '99').stderr).toEndWith('\n  git tasks list --all\n')
})

test('warnings and the steps of doctor name commands in the same way', () => {
  const add = ['add', 'Part', '--parent', '3']
  expect(repo.gza(...add).stderr).toEndWith('; gza edit 3 --reopen opens it again\n')
  expect(repo.tasks(...add).stderr).toEndWith('; git tasks edit 3 --reopen opens it again\n')
  expect(repo.gza('doctor').stdout).toContain(' gza init\n')
  expect(repo.tasks('doctor').stdout).toContain(' git tasks init\n')
  expect(repo.tasks('doctor', '--json').stdout).toContain('"next":"gza init"')
})

test('text that a person wrote stays as it is, also where it reads like a command', () => {
  expect(repo.tasks('show', '6').stderr).toContain('Sixth, as gza show does was deleted')
  expect(repo.tasks('done', '4').stderr).toContain('#5 Explain gza done (pending)')
})

function hintIn(stdout: string): unknown {
  return JSON.parse(stdout).error.hint
}
