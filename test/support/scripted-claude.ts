import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { binDir } from './built-program.ts'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from './scripted-agent.ts'

/**
 * The same repository with a `claude` on PATH that prints the client's stream: its acts have `say TEXT`, `result TEXT` and
 * `limit EPOCH` beside the others.
 */
export function withClaude(acts: Record<string, string>, options: AgentRepoOptions = {}): AgentRepo {
  const repo = anAgentRepo(acts, { ...options, defaults: { ...options.defaults, agent: 'claude' } })
  const root = dirname(repo.dir)
  const bin = join(root, 'clients')
  mkdirSync(bin)
  const program = join(bin, 'claude')
  writeFileSync(program, CLAUDE(root))
  chmodSync(program, 0o755)
  repo.env.PATH = [bin, binDir(), process.env.PATH].join(delimiter)
  return repo
}

/** It has its prompt after -p; the act takes it from the last argument. */
const CLAUDE = (root: string): string => `#!/bin/bash
say() { printf '{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"%s"}],"usage":{"input_tokens":10,"output_tokens":5}},"session_id":"s1"}\\n' "$1"; }
result() { printf '{"subtype":"success","is_error":false,"result":"%s","session_id":"s1","total_cost_usd":0.25,"num_turns":3,"usage":{"input_tokens":10,"output_tokens":5},"type":"result"}\\n' "$1"; }
limit() {
  printf '{"type":"assistant","message":{"id":"m2","model":"<synthetic>","content":[{"type":"text","text":"Claude AI usage limit reached|%s"}],"usage":{"input_tokens":0,"output_tokens":0}},"session_id":"s1","is_api_error_message":true}\\n' "$1"
  sleep 0.5
  printf '{"subtype":"success","is_error":true,"api_error_status":429,"result":"Claude AI usage limit reached|%s","session_id":"s1","total_cost_usd":0,"num_turns":1,"type":"result"}\\n' "$1"
  exit 1
}
printf '{"type":"system","subtype":"init","session_id":"s1"}\\n'
all=("$@")
for ((at = 0; at < $#; at++)); do [ "\${all[at]}" = -p ] && asked=\${all[at + 1]}; done
set -- "$@" "$asked"
. ${root}/agent
`
