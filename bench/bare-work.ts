import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Factory } from './factory.ts'
import { runQuietly } from './probe.ts'

/**
 * What `gza work` does with git for each task, as a person's script would do it: only the commands, one after another,
 * without a guard, a supervisor or a record of its progress. Returns the time it took, in milliseconds.
 */
export function timeBareWork(factory: Factory, tasks: number): number {
  const ledger = { lines: git(factory, factory.dir, ['cat-file', 'blob', 'refs/tasks/main:tasks.jsonl']) }
  const start = performance.now()
  for (let number = 1; number <= tasks; number++) workOnTask(factory, ledger, number)
  return performance.now() - start
}

interface BareLedger {
  lines: string
}

function workOnTask(factory: Factory, ledger: BareLedger, number: number): void {
  const { dir, agent, env } = factory
  const branch = `bare-${number}`
  const path = `${dir}-trees/${branch}`
  moveLedger(factory, ledger, `start ${number}`)
  git(factory, dir, ['worktree', 'add', '--quiet', '-b', branch, path, 'HEAD'])
  runQuietly({ argv: [agent, `Do part ${number}`], cwd: path, env })
  if (git(factory, path, ['status', '--porcelain']) !== '') throw new Error('the agent left something uncommitted')
  const commit = git(factory, dir, ['rev-list', `HEAD..${branch}`]).trim()
  git(factory, dir, ['diff-tree', '-r', '--name-only', 'HEAD', branch])
  git(factory, dir, ['worktree', 'remove', path])
  moveLedger(factory, ledger, `end ${number}`)
  git(factory, dir, ['notes', '--ref=refs/notes/tasks', 'add', '--file=-', commit], `task ${number}\n`)
}

/** Adds one line to the ledger's file in one commit, with plain git commands. */
function moveLedger(factory: Factory, ledger: BareLedger, subject: string): void {
  const ref = 'refs/tasks/main'
  const { dir } = factory
  const tip = readFileSync(join(dir, '.git', ref), 'utf8').trim()
  ledger.lines += `{"event":"${subject}"}\n`
  const { lines } = ledger
  const who = 'Bench <bench@example.com> 1700000000 +0000'
  const stream = [
    `commit refs/bare/never-written\nmark :1\nauthor ${who}\ncommitter ${who}\ndata ${subject.length}\n${subject}\n`,
    `from ${tip}\nM 100644 inline tasks.jsonl\ndata ${Buffer.byteLength(lines)}\n${lines}\n\n`,
    `get-mark :1\nreset refs/bare/never-written\nfrom ${'0'.repeat(40)}\n\ndone\n`,
  ]
  const args = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw']
  const commit = git(factory, dir, args, stream.join('')).trim()
  git(factory, dir, ['update-ref', '--create-reflog', '-m', subject, ref, commit, tip])
}

function git({ env }: Factory, cwd: string, args: string[], input?: string): string {
  return runQuietly({ argv: ['git', ...args], cwd, env }, input)
}
