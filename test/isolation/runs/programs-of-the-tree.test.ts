/** Settings of a person name programs of the tree, and an agent in a box changes them. Outside, none of them runs. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anIsolatedRepo, expectNothingLeft, LEVELS } from './isolated-repo.ts'
import { expectNothingRanOutside, WITNESS, witnessed } from './witnessed.ts'

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
