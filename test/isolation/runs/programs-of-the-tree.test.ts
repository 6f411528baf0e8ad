/** Settings of a person name programs of the tree, and an agent in a box changes them. Outside, none of them runs. */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REAL_GIT } from '../../guard/guarded-repo.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from './isolated-repo.ts'

/**
 * Says whose it is and where it runs: keys cannot be written in a box. Where nothing can be written, what it makes of a
 * file shows it.
 */
const WITNESS = `#!/bin/sh
whose=person
if { echo >"$HOME/.ssh/probe"; } 2>/dev/null; then where=outside; else where=inside; fi
{ echo "$whose $where $1" >>"$WITNESSES"; } 2>/dev/null
case $1 in
  clean) sed 's/^smudged [a-z]*: //' ;;
  smudge) sed "s/^/smudged $where: /" ;;
  textconv) cat "$2" ;;
  driver) echo "driven $where" >>"$3"; git merge-file --union "$3" "$2" "$4" ;;
  *) exit 1 ;;
esac
`

const SETTINGS = {
  'filter.w.clean': 'sh ./.witness.sh clean',
  'filter.w.smudge': "sh './.witness.sh' smudge %f",
  'merge.w.driver': 'sh ./.witness.sh driver %O %A %B',
  'diff.w.textconv': 'sh ./.witness.sh textconv',
  'core.fsmonitor': 'sh ./.witness.sh fsmonitor',
}

/** With the person's settings, and a git first on PATH that writes down all that gza calls. */
function witnessed(repo: IsolatedRepo): { gza(...args: string[]): string; witnesses(): string[]; calls(): Call[] } {
  for (const [key, value] of Object.entries(SETTINGS)) repo.git('config', key, value)
  mkdirSync(join(repo.env.HOME ?? '', '.ssh'))
  const folder = repo.beside('recording')
  const log = repo.beside('git-calls')
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/bash
case "$(cat /proc/$PPID/comm)" in
  gza*)
    words=("$@"); while [ "\${words[0]}" = -c ]; do words=("\${words[@]:2}"); done
    [ "\${words[0]}" != --no-optional-locks ] || words=("\${words[@]:1}")
    [ "\${words[0]}" != --git-dir ] || words=("\${words[@]:2}")
    [ "\${words[0]}" != worktree ] || words=("worktree-\${words[1]}")
    case "$(${REAL_GIT} config filter.w.smudge)" in '') filters=off ;; command=*) filters=boxed ;; *) filters=on ;; esac
    case "\${GIT_WORK_TREE:-$PWD}" in */gza/worktrees/*) place=worktree ;; *) place=elsewhere ;; esac
    if { echo >"$HOME/.ssh/probe"; } 2>/dev/null; then echo "$place \${words[0]} $filters" >>${log}; fi ;;
esac
exec ${REAL_GIT} "$@"
`,
    { mode: 0o755 },
  )
  const linesOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [])
  const person = repo.withEnv({ WITNESSES: repo.beside('witnesses'), PATH: `${folder}:${repo.env.PATH}` })
  return {
    gza: (...args) => {
      const { code, stdout, stderr } = person.run(repo.commandLine(...args))
      expect(code, stdout + stderr).toBe(0)
      return stdout
    },
    witnesses: () => linesOf(repo.beside('witnesses')),
    calls: () =>
      [...new Set(linesOf(log))].sort().map((line) => {
        const [place = '', command = '', filters = ''] = line.split(' ')
        return { place, command, filters }
      }),
  }
}

interface Call {
  place: string
  command: string
  /** `on`: a filter of the person would run outside. */
  filters: string
}

/** All that gza calls with filters on: none of it reads or writes a file of a tree. */
const NEVER_FILTERING = [
  ...['cat-file', 'check-ref-format', 'commit-tree', 'config', 'diff-tree', 'fetch', 'for-each-ref', 'hash-object'],
  ...['fast-import', 'fsck', 'log', 'ls-files', 'ls-remote', 'ls-tree', 'merge-base', 'mktree', 'notes', 'rev-list'],
  ...[
    'rev-parse',
    'show',
    'show-ref',
    'symbolic-ref',
    'update-ref',
    'var',
    '--version',
    'version',
    'maintenance',
    'worktree-list',
  ],
]

function expectNothingRanOutside({ witnesses, calls }: ReturnType<typeof witnessed>): void {
  expect(witnesses().filter((line) => line.startsWith('agent outside'))).toEqual([])
  const filtering = calls().filter(({ filters, command }) => filters === 'on' && !NEVER_FILTERING.includes(command))
  expect(filtering).toEqual([])
}

/** Makes the programs its own, gives every file the filter, and plants repositories whose settings run them too. */
const PLANT = `
sed -i s/whose=person/whose=agent/ .witness.sh
save .gitattributes '* filter=w diff=w'
git init -q nested; save nested/n.txt n
git -C nested config filter.w.clean "sh ../.witness.sh clean"; git -C nested config core.fsmonitor "sh ../.witness.sh fsmonitor"
save nested/.gitattributes '* filter=w'; git -C nested add n.txt; git -C nested commit -qm n; echo more >>nested/n.txt
ln -s nested/.git planted`

const ACT = `
case $prompt in
  "You are reviewing"*)
    file=$(grep -o -m1 '[^ \`]*reviews/[^ \`]*\\.md' <<<"$prompt" | head -1)
    verdict=APPROVED; [ -e "$beside/reviewed" ] || verdict=CHANGES_REQUESTED
    touch "$beside/reviewed"; mkdir -p "$(dirname "$file")"
    printf '# Review\\n\\nRead it all, line by line.\\n\\n**Verdict: %s**\\n' "$verdict" >"$file" ;;
  *)
    if [ ! -e "$beside/failed" ]; then ${PLANT}
      save left.txt left; git rm -q --cached nested 2>/dev/null; rm -rf nested/.git; touch "$beside/failed"; exit 3; fi
    ${PLANT}
    commit "work-$(ls | wc -l).txt" "$call"; save left.txt "$call"
    gza show "$task" >/dev/null; sleep 1; rm -rf nested planted ;;
esac`

test('no program of an agent’s tree runs outside: work, retry, leftovers, review, improvement, checks and looking', () => {
  const [level = 'unshare'] = LEVELS
  const repo = anIsolatedRepo(
    level,
    { else: ACT },
    {
      files: { '.witness.sh': WITNESS, '.gitattributes': '*.txt filter=w diff=w\n', 'a.txt': 'a\n' },
      defaults: { max_attempts: 2 },
      config: { verify: { command: 'git status --porcelain; test -e a.txt' } },
    },
  )
  const person = witnessed(repo)
  repo.add('Planted', '--auto-review')
  person.gza('work', '1')
  expectNothingRanOutside(person)
  for (const args of [['show', '1'], ['diff', '1'], ['status'], ['ps'], ['doctor'], ['queue'], ['list']])
    person.gza(...args)
  expect(person.witnesses()).toContain('agent inside clean')
  expect(person.witnesses().filter((line) => line.startsWith('agent outside'))).toEqual([])
  expect(repo.task('1').runs).toMatchObject([{ outcome: 'failed' }, { outcome: 'completed', review_cycle: 2 }])
})

const LANDING = (name: string) => `
sed -i s/whose=person/whose=agent/ .witness.sh; git commit -qam 'another program ${name}'
echo ${name} >>list.txt; git commit -qam 'a line'; commit ${name}.txt ${name}`

for (const level of LEVELS)
  test(`${level}: filters and merge drivers work in landings, and none runs outside`, () => {
    const repo = anIsolatedRepo(
      level,
      { one: LANDING('one'), two: LANDING('two'), three: LANDING('three') },
      {
        files: {
          ...{ '.witness.sh': WITNESS, '.gitattributes': '*.txt filter=w\nlist.txt merge=w\n' },
          ...{ 'list.txt': 'start\n', 'given.txt': 'given\n' },
        },
        config: { land: 'merge', verify: { command: 'grep "^smudged inside: " given.txt' } },
      },
    )
    const person = witnessed(repo)
    for (const name of ['one', 'two', 'three']) repo.add(name)
    person.gza('work', '--all', '--workers', '3')
    expectNothingRanOutside(person)
    expect(person.calls().filter(({ command }) => command === 'merge')).toEqual([
      { place: 'elsewhere', command: 'merge', filters: 'boxed' },
      { place: 'worktree', command: 'merge', filters: 'boxed' },
    ])
    // As the landing has written it.
    expect(readFileSync(join(repo.dir, 'one.txt'), 'utf8')).toBe('smudged inside: one\n')
    const list = repo.git('show', 'main:list.txt').split('\n').sort()
    expect(list.filter((line) => line !== 'driven inside')).toEqual(['one', 'start', 'three', 'two'])
    expect(list).toContain('driven inside')
    expectNothingLeft(repo)
  })
