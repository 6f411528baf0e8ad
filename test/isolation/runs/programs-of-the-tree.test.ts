/** Settings of a person name programs of the tree, and an agent in a box changes them. Outside, none of them runs. */
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REAL_GIT } from '../../guard/guarded-repo.ts'
import { anIsolatedRepo, type IsolatedRepo, LEVELS } from './isolated-repo.ts'

/** Says whose it is and where it runs: a person's own settings of gza are hidden in a box. */
const WITNESS = `#!/bin/sh
whose=person
if [ -e "$HOME/.config/gza/config.yaml" ]; then where=outside; else where=inside; fi
echo "$whose $where $1" >>"$WITNESSES"
case $1 in clean) cat ;; textconv) cat "$2" ;; *) exit 1 ;; esac
`

/** Makes the programs its own, gives every file the filter, and plants repositories whose settings run them too. */
const PLANT = `
sed -i s/whose=person/whose=agent/ witness.sh
save .gitattributes '* filter=w diff=w'
git init -q nested; save nested/n.txt n
git -C nested config filter.w.clean "sh ../witness.sh clean"; git -C nested config core.fsmonitor "sh ../witness.sh fsmonitor"
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

/** With a git first on PATH that writes down what gza calls outside in worktrees of runs, and if filters are on there. */
function recordGit(repo: IsolatedRepo): { env: Record<string, string>; calls(): string[] } {
  const folder = repo.beside('recording')
  const log = repo.beside('git-calls')
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/bash
case "$(cat /proc/$PPID/comm) \${GIT_WORK_TREE:-$PWD}" in
  gza*/gza/worktrees/*)
    words=("$@"); while [ "\${words[0]}" = -c ]; do words=("\${words[@]:2}"); done
    [ "\${words[0]}" != --no-optional-locks ] || words=("\${words[@]:1}")
    [ -n "$(${REAL_GIT} config filter.w.clean)" ] && filters=on || filters=off
    [ ! -e "$HOME/.config/gza/config.yaml" ] || echo "\${words[0]} $filters" >>${log} ;;
esac
exec ${REAL_GIT} "$@"
`,
    { mode: 0o755 },
  )
  return {
    env: { PATH: `${folder}:${repo.env.PATH}` },
    calls: () => [...new Set(readFileSync(log, 'utf8').split('\n').filter(Boolean))].sort(),
  }
}

/** All that gza calls outside in the worktree of an agent in a box. What may read or write files has no filters. */
const CALLED = ['ls-files on', 'ls-files off', 'ls-tree on', 'reset off', 'rev-parse on', 'status off', 'update-ref on']

test('no program of an agent’s tree runs outside: work, retry, leftovers, review, improvement, checks and looking', () => {
  const [level = 'unshare'] = LEVELS
  const plain = anIsolatedRepo(
    level,
    { else: ACT },
    {
      files: { 'witness.sh': WITNESS, '.gitattributes': '*.txt filter=w diff=w\n', 'a.txt': 'a\n' },
      defaults: { max_attempts: 2 },
      config: { verify: { command: 'git status --porcelain; test -e a.txt' } },
    },
  )
  for (const [key, value] of [
    ['filter.w.clean', 'sh ./witness.sh clean'],
    ['diff.w.textconv', 'sh ./witness.sh textconv'],
    ['core.fsmonitor', 'sh ./witness.sh fsmonitor'],
  ] as const)
    plain.git('config', key, value)
  const recorded = recordGit(plain)
  const repo = plain.withEnv({ WITNESSES: plain.beside('witnesses'), ...recorded.env })
  plain.add('Planted', '--auto-review')
  const { code, stdout, stderr } = repo.run(plain.commandLine('work', '1'))
  expect(code, stdout + stderr).toBe(0)
  for (const args of [['show', '1'], ['diff', '1'], ['status'], ['ps'], ['doctor'], ['queue'], ['list']])
    repo.run(plain.commandLine(...args))
  const witnesses = readFileSync(plain.beside('witnesses'), 'utf8').split('\n')
  expect(witnesses).toContain('agent inside clean')
  expect(witnesses.filter((line) => line.startsWith('agent outside'))).toEqual([])
  expect(recorded.calls()).toContain('status off')
  expect(recorded.calls().filter((call) => !CALLED.includes(call))).toEqual([])
  expect(plain.task('1').runs).toMatchObject([{ outcome: 'failed' }, { outcome: 'completed', review_cycle: 2 }])
})
