import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { binDir } from './built-program.ts'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from './scripted-agent.ts'

/**
 * The same repository with an `opencode` on PATH, which names its cost while it works: its acts have `turn USD`, after which
 * it continues, and `finish USD`, with which it ends, beside the others.
 */
export function withOpencode(acts: Record<string, string>, options: AgentRepoOptions = {}): AgentRepo {
  const repo = anAgentRepo(acts, { ...options, defaults: { ...options.defaults, agent: 'opencode' } })
  const root = dirname(repo.dir)
  const bin = join(root, 'clients')
  mkdirSync(bin)
  const program = join(bin, 'opencode')
  writeFileSync(program, OPENCODE(root))
  chmodSync(program, 0o755)
  repo.env.PATH = [bin, binDir(), process.env.PATH].join(delimiter)
  return repo
}

const OPENCODE = (root: string): string => `#!/bin/bash
step() {
  printf '{"type":"step_start","sessionID":"ses_1","part":{}}\\n'
  printf '{"type":"step_finish","sessionID":"ses_1","part":{"reason":"%s","cost":%s,"tokens":{"input":10,"output":5}}}\\n' "$1" "$2"
}
turn() { step tool-calls "$1"; }
finish() { step stop "$1"; }
. ${root}/agent
`
