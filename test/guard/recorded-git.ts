import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { REAL_GIT } from './guarded-repo.ts'

/** The same repository, with a git first on PATH that writes down each call that gza itself makes. */
export function recordGit(repo: AgentRepo): { env: Record<string, string>; calls(): string[][] } {
  const folder = repo.beside('recording')
  const log = repo.beside('git-calls')
  mkdirSync(folder)
  // `%q` keeps each call on one line.
  const note = 'case $(cat /proc/$PPID/comm) in gza|git-tasks) printf "%q " "$@" >>"$log"; echo >>"$log" ;; esac'
  writeFileSync(join(folder, 'git'), `#!/bin/bash\nlog=${log}\n${note}\nexec ${REAL_GIT} "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  return {
    env: { PATH: [folder, repo.env.PATH].join(delimiter) },
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8') : '').split('\n').filter(Boolean).map(wordsOf),
  }
}

function wordsOf(line: string): string[] {
  return line.trimEnd().split(/(?<!\\) /)
}

/** These read and write objects, refs and settings, and never look at the files of a working tree. */
const OBJECTS = new Set([
  ...[
    'rev-parse',
    'for-each-ref',
    'update-ref',
    'symbolic-ref',
    'rev-list',
    'merge-base',
    'merge-tree',
    'log',
    'notes',
  ],
  ...['fast-import', 'commit-tree', 'write-tree', 'hash-object', 'cat-file', 'ls-tree', 'diff-tree', 'patch-id'],
  ...['config', 'var', 'remote', 'maintenance', 'reflog', '--version'],
])

/** These look at files, and run nothing of a nested repository if no hook and no monitor is configured. */
const FILES = new Set(['ls-files', 'update-index', 'reset', 'clean', 'checkout', 'merge', 'cherry-pick', 'worktree'])

/** Why a call of git could run something that an agent has put into a tree; null if it cannot. */
export function whyUnsafe(call: readonly string[]): string | null {
  const settings = call.flatMap((word, at) => (call[at - 1] === '-c' ? [word] : []))
  const rest = call.filter((word, at) => word !== '-c' && call[at - 1] !== '-c' && word !== '--no-optional-locks')
  const [command = '', ...args] = rest
  const has = (...words: string[]) => words.every((word) => args.includes(word))
  const isOwn = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'submodule.recurse=false'].every((word) =>
    settings.includes(word),
  )
  if (OBJECTS.has(command)) return has('--filters') || has('--textconv') ? 'it runs filters' : null
  if (command === 'diff' && has('--no-ext-diff', '--no-textconv', '--submodule=short')) return null
  if (!isOwn) return 'hooks or a monitor could run'
  if (command === 'status' || command === 'diff-files')
    return has('--ignore-submodules=dirty') || has('--ignore-submodules=all')
      ? null
      : 'it looks into nested repositories'
  if (command === 'diff-index') return has('--cached') ? null : 'it looks into nested repositories'
  return FILES.has(command) ? null : 'it is not on the list of safe commands'
}
