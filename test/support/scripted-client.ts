import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { binDir } from './built-program.ts'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from './scripted-agent.ts'

/**
 * The same repository with a program on PATH that has the name of a client and prints what that client was seen to
 * print. `act` is shell: it has `$beside`, `$resumed` (true if it was called with a session) and `commit FILE TEXT`.
 */
export function withClient(name: string, act: string, options: AgentRepoOptions = {}): AgentRepo {
  const repo = anAgentRepo({}, { ...options, defaults: { ...options.defaults, agent: name } })
  const root = dirname(repo.dir)
  const bin = join(root, 'clients')
  mkdirSync(bin)
  const program = join(bin, name)
  writeFileSync(program, `${PROLOGUE(root)}${act}\n`)
  chmodSync(program, 0o755)
  repo.env.PATH = [bin, binDir(), process.env.PATH].join(delimiter)
  return repo
}

const PROLOGUE = (root: string): string => `#!/bin/bash
beside=${root}
call=$beside/calls/\${EPOCHREALTIME//[.,]}-$SRANDOM
mkdir "$call"
printf '%s\\0' "$@" >"$call/arguments"
printf '%s' "$*" >"$call/prompt"
: >"$call/title"
pwd >"$call/cwd"
resumed=false
case " $* " in *" resume "*|*" --resume "*|*" --resume="*|*" --session "*) resumed=true;; esac
commit() { printf '%s\\n' "$2" >"$1" && git add -- "$1" && git commit -qm "$1" -- "$1"; }
`

/** How a run of each client begins and ends if all goes well; between them it works. */
export const STREAMS: Record<string, { begin: string; end: string }> = {
  claude: {
    begin: `echo '{"type":"system","subtype":"init","session_id":"s1"}'`,
    end: `echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s1","num_turns":1,"usage":{"input_tokens":10,"output_tokens":5}}'`,
  },
  codex: {
    begin: `echo '{"type":"thread.started","thread_id":"s1"}'`,
    end: `echo '{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}'`,
  },
  opencode: {
    begin: `echo '{"type":"step_start","sessionID":"s1","part":{}}'`,
    end: `echo '{"type":"step_finish","sessionID":"s1","part":{"reason":"stop","cost":0,"tokens":{"input":10,"output":5}}}'`,
  },
  gemini: {
    begin: `echo '{"type":"init","session_id":"s1","model":"m"}'`,
    end: `echo '{"type":"result","status":"success","stats":{"input_tokens":10,"output_tokens":5}}'`,
  },
  qwen: {
    begin: `echo '{"type":"system","subtype":"init","session_id":"s1"}'`,
    end: `echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s1","num_turns":1,"usage":{"input_tokens":10,"output_tokens":5}}'`,
  },
  copilot: {
    begin: `echo '{"type":"assistant.turn_start","data":{"turnId":"0"}}'`,
    end: `echo '{"type":"result","sessionId":"s1","exitCode":0,"usage":{"premiumRequests":0}}'`,
  },
}
