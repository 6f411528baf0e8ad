import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { inboxFields } from '../../src/cli/render/watch/inbox.ts'
import type { TaskView } from '../../src/workspace/views/views.ts'
import { isolationHere } from './boxed-folders.ts'
import { outputOf } from './ledger-answers.ts'
import { aRepo, type Repo, type RepoOptions } from './repo.ts'

/**
 * A repository whose agent is a shell script. What it does is chosen by the title of the task it is given, so that one
 * account serves honest and misbehaving tasks side by side.
 */
export interface AgentRepo extends Repo {
  /** Files a task and returns its number. */
  add(title: string, ...flags: string[]): string
  /** Calls of the agent so far, oldest first. */
  calls(): AgentCall[]
  task(ref: string): TaskView
  inbox(): PrintedEntry[]
  /** `gza why`: the code alone. */
  why(ref: string): string
  /** Status by title. */
  statuses(): Record<string, string>
  /** Worktrees besides the repository's own. */
  worktrees(): string[]
  /** Command lines of processes that any agent of this repository has started and that are still there. */
  survivors(): string[]
  /** A path beside the repository, for files through which an agent and the test signal each other. */
  beside(name: string): string
}

/** An entry of the inbox as --json prints it. */
type PrintedEntry = ReturnType<typeof inboxFields>

interface AgentCall {
  title: string
  prompt: string
  cwd: string
  arguments: string[]
}

export interface AgentRepoOptions extends RepoOptions {
  /** The `defaults` of gza.yaml, besides the agent. */
  defaults?: Record<string, unknown>
  /** Further sections of gza.yaml. */
  config?: Record<string, unknown>
  files?: Record<string, string>
  /** The folder of `beside`: one below that of the repository, or that itself. */
  besideIn?: string
}

/** `acts`: what the agent does for a task of that title, as shell; `else` for every other one. */
export function anAgentRepo(acts: Record<string, string>, options: AgentRepoOptions = {}): AgentRepo {
  const repo = aRepo({ ...isolationHere(), ...options, env: { GZA_TRUST: '1', ...options.env } })
  const root = join(dirname(repo.dir), options.besideIn ?? '')
  const agent = writeAgent(root, acts)
  repo.commit('first', {
    'README.md': 'hello\n',
    ...options.files,
    'gza.yaml': configOf(agent, options),
  })
  return stageOf(repo, root)
}

/** Tests wait for no pause between attempts unless they ask for one. */
function configOf(agent: string, { defaults, config }: AgentRepoOptions): string {
  const sections = {
    defaults: { agent: 'scripted', ...defaults },
    agents: { scripted: { command: agent } },
    retry: { backoff_seconds: 0 },
    ...config,
  }
  return Object.entries(sections)
    .map(([name, section]) => `${name}: ${JSON.stringify(section)}\n`)
    .join('')
}

function stageOf(repo: Repo, root: string): AgentRepo {
  const json = <T>(...args: string[]): T => JSON.parse(outputOf(repo.gza(...args, '--json')))
  return {
    ...repo,
    add: (title, ...flags) => String(json<TaskView>('add', title, ...flags).number),
    calls: () => readCalls(root),
    task: (ref) => json<TaskView>('show', ref),
    inbox: () => json<PrintedEntry[]>('inbox'),
    why: (ref) => json<{ code: string }>('why', ref).code,
    statuses: () => Object.fromEntries(json<TaskView[]>('list', '--all').map(({ title, status }) => [title, status])),
    worktrees: () => worktreesOf(repo),
    survivors: () => processesNaming(root),
    beside: (name) => join(root, name),
  }
}

/**
 * The script keeps each call it gets, then plays the act. `$prompt`, `$task` (its id), `$title` and `$beside` (a folder
 * outside of every worktree) are set; `save FILE TEXT` writes, `commit FILE TEXT` commits too, `forever` never ends.
 * The program `$beside/lurk` never ends either, and leaves its pid in `$beside/lurkers`.
 */
function writeAgent(root: string, acts: Record<string, string>): string {
  const { else: otherwise = 'commit "$title.txt" "$title $call"', ...named } = acts
  const cases = Object.entries(named).map(([title, act]) => `${title})\n${act}\n;;\n`)
  const path = join(root, 'agent')
  mkdirSync(join(root, 'calls'), { recursive: true })
  writeFileSync(path, `${PROLOGUE(root)}case $title in\n${cases.join('')}*)\n${otherwise}\n;;\nesac\n`)
  chmodSync(path, 0o755)
  writeFileSync(join(root, 'lurk'), `#!/bin/sh\necho $$ >>${root}/lurkers\nexec tail -f ${root}/agent\n`, {
    mode: 0o755,
  })
  return path
}

/** Bash's own means wherever they do: each further program would cost every call of an agent. */
const PROLOGUE = (root: string): string => `#!/bin/bash
beside=${root}
prompt=\${!#}
pattern=$'\\n(--- BEGIN task [^\\n]*\\n|You are working on task task-[0-9a-f]*: )([^\\n]*)'
task='' title=''
[[ $prompt =~ task-[0-9a-f]* ]] && task=\${BASH_REMATCH[0]}
[[ $'\\n'$prompt =~ $pattern ]] && title=\${BASH_REMATCH[2]}
call=$beside/calls/\${EPOCHREALTIME//[.,]}-$SRANDOM
mkdir "$call"
printf '%s' "$prompt" >"$call/prompt"
printf '%s' "$title" >"$call/title"
printf '%s\\0' "$@" >"$call/arguments"
pwd >"$call/cwd"
save() { case $1 in */*) mkdir -p "\${1%/*}";; esac && printf '%s\\n' "$2" >"$1"; }
commit() { save "$1" "$2" && git add -- "$1" && git commit -qm "$title: $1" -- "$1"; }
forever() { exec tail -f "$beside/agent"; }
`

function readCalls(root: string): AgentCall[] {
  const folder = join(root, 'calls')
  return readdirSync(folder)
    .sort()
    .filter((name) => existsSync(join(folder, name, 'cwd')))
    .map((name) => {
      const read = (file: string): string => readFileSync(join(folder, name, file), 'utf8')
      const words = read('arguments').split('\0').slice(0, -1)
      return { title: read('title'), prompt: read('prompt'), cwd: read('cwd').trim(), arguments: words }
    })
}

function worktreesOf(repo: Repo): string[] {
  const lines = repo.git('worktree', 'list', '--porcelain').split('\n')
  const paths = lines.filter((line) => line.startsWith('worktree ')).map((line) => line.slice('worktree '.length))
  return paths.filter((path) => path !== repo.dir)
}

/** Every process that an agent's script starts and that must not outlive it names the folder beside the repository. */
function processesNaming(root: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return line.includes(root) ? [line] : []
    } catch {
      return []
    }
  })
}
