/** A person whose settings name programs of the tree. They write down whose they are, and where they run. */
import { expect } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REAL_GIT } from '../../guard/guarded-repo.ts'
import type { Result } from '../../support/repo.ts'
import type { IsolatedRepo } from './isolated-repo.ts'

/**
 * Says whose it is and where it runs: keys cannot be written in a box. `beside`: in one that shows sockets in /tmp. Where
 * nothing can be written, what it makes of a file shows it.
 */
export const WITNESS = `#!/bin/sh
whose=person
if { echo >"$HOME/.ssh/probe"; } 2>/dev/null; then where=outside; else where=inside; fi
if [ $where = inside ] && [ -e "$IN_TMP" ]; then where=beside; fi
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
export function witnessed(repo: IsolatedRepo, env: Record<string, string> = {}): Witnessed {
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
    [[ "\${words[0]}" != diff || ! "$*" =~ [0-9a-f]{40}.{1,3}[0-9a-f]{40} ]] || words=(diff-of-commits)
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
  const path = { PATH: `${folder}:${repo.env.PATH}` }
  const person = repo.withEnv({ WITNESSES: repo.beside('witnesses'), ...path, ...env })
  const tryGza = (...args: string[]) => person.run(repo.commandLine(...args))
  return {
    gza: (...args) => {
      const { code, stdout, stderr } = tryGza(...args)
      expect(code, stdout + stderr).toBe(0)
      return stdout
    },
    tryGza,
    witnesses: () => linesOf(repo.beside('witnesses')),
    calls: () =>
      [...new Set(linesOf(log))].sort().map((line) => {
        const [place = '', command = '', filters = ''] = line.split(' ')
        return { place, command, filters }
      }),
  }
}

interface Witnessed {
  /** Expects it to succeed. */
  gza(...args: string[]): string
  /** The same, however it ends. */
  tryGza(...args: string[]): Result
  witnesses(): string[]
  calls(): Call[]
}

interface Call {
  place: string
  command: string
  /** `on`: a filter of the person would run outside. */
  filters: string
}

/** All that gza calls with filters on: none of it reads or writes a file of a tree. */
const NEVER_FILTERING = [
  ...[
    'cat-file',
    'check-ref-format',
    'commit-tree',
    'config',
    'diff-of-commits',
    'diff-tree',
    'fetch',
    'for-each-ref',
    'hash-object',
  ],
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

export function expectNothingRanOutside({ witnesses, calls }: Witnessed): void {
  expect(witnesses().filter((line) => line.startsWith('agent outside'))).toEqual([])
  const filtering = calls().filter(({ filters, command }) => filters === 'on' && !NEVER_FILTERING.includes(command))
  expect(filtering).toEqual([])
}
