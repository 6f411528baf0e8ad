import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from './ledger-answers.ts'
import type { Repo } from './repo.ts'

/** The git processes that a command starts, also those that git itself starts, each by its command. */
export function gitCallsOf(repo: Repo, ...args: string[]): string[] {
  const trace = join(repo.dir, '../git-calls')
  rmSync(trace, { force: true })
  outputOf(repo.withEnv({ GIT_TRACE2_EVENT: trace }).gza(...args))
  return readTrace(trace).flatMap(({ event, argv }) => (event === 'start' ? [commandIn(argv)] : []))
}

interface TraceEvent {
  event: string
  argv: string[]
}

function readTrace(path: string): TraceEvent[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

/** The programs at the other end are started by their own names, such as `git-upload-pack`. */
function commandIn([program = '', ...args]: readonly string[]): string {
  const [, own] = /\bgit-([a-z-]+)$/.exec(program) ?? []
  if (own !== undefined) return own
  return args.find((arg) => !arg.startsWith('-')) ?? ''
}
