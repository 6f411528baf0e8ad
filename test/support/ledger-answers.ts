import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from '../../src/core/task/task.ts'
import { readTaskLine } from '../../src/ledger/read-task-line.ts'
import type { Repo, Result } from './repo.ts'

/** The output of a command that must succeed. */
export function outputOf(result: Result): string {
  if (result.code !== 0) throw new Error(`exit code ${result.code}: ${result.stderr}${result.stdout}`)
  return result.stdout
}

/** Every task of a ledger, tombstones included, as `gza export` gives it. */
export function exportedTasks(repo: Repo, ...flags: string[]): Task[] {
  return linesOf(outputOf(repo.gza('export', ...flags))).map(readTask)
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

export function readTask(line: string): Task {
  const read = readTaskLine(line)
  if ('why' in read) throw new Error(`${read.why}: ${line}`)
  return read.task
}

/** What the reading commands print: equal answers mean equal indexes. */
export function answersOf(repo: Repo): Record<string, unknown> {
  const asked = [['export'], ['list', '--all', '--json'], ['ready', '--json'], ['next', '--all', '--json'], ['groups']]
  return Object.fromEntries(asked.map((args) => [args.join(' '), outputOf(repo.gza(...args))]))
}

export function stateFile(repo: Repo): string {
  return join(repo.dir, repo.git('rev-parse', '--git-common-dir'), 'gza/state.db')
}

/** The answers of an index that was just made from the ledger. */
export function rebuiltAnswers(repo: Repo): Record<string, unknown> {
  dropIndex(repo)
  return answersOf(repo)
}

export function dropIndex(repo: Repo): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(stateFile(repo) + suffix, { force: true })
}
