import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { descendantsOf } from '../../support/running-processes.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'
import type { Postgres } from './postgres.ts'

/** A machine of its own as far as gza sees: a host name, a home, and clones. */
export interface Worker {
  host: string
  home: string
  /** What it has printed so far. */
  log(): string
  /** To its process alone, as a crash or an overload of that process is. */
  signal(signal: NodeJS.Signals): void
  /** Its process and all that it has started, but its agents' watchdogs. */
  signalAll(signal: NodeJS.Signals): void
  /** Null: a signal ended it. */
  ended: Promise<number | null>
  isOver(): boolean
}

export interface Fleet {
  person: AgentRepo
  remote: string
  address: string
  /** Starts a worker and waits until it works. */
  worker(host: string, ...flags: string[]): Promise<Worker>
  /** The tasks as the remote has them. */
  tasks(): { title: string; status: string; runs: Run[] }[]
  /** What agents have logged outside of all repositories: begin and end of each call. */
  agentLog(): { what: string; title: string; call: string }[]
  /** Nobody can reach the remote until the function that it returns is called. */
  cutRemote(): () => void
  end(): Promise<void>
}

interface Run {
  run: string
  machine: string
  outcome?: string
  seq?: number
  claim?: number
  detail?: string
}

/** Agents log that they begin and end, so that overlaps would be seen. */
const LOGGED = (act: string) => `log() { echo "$1 $title $$" >>"$beside/agents.log"; }
log begin
${act}
log end`

export async function aFleet(postgres: Postgres, acts: Record<string, string>): Promise<Fleet> {
  const address = postgres.database()
  const logged = Object.fromEntries(Object.entries(acts).map(([title, act]) => [title, LOGGED(act)]))
  const person = anAgentRepo(
    { else: LOGGED('commit "$title.txt" "$title"'), ...logged },
    {
      env: { GZA_FLEET_URL: address },
    },
  )
  const root = dirname(person.dir)
  const remote = join(root, 'remote.git')
  person.run(['git', 'init', '--quiet', '--bare', remote])
  person.git('remote', 'add', 'origin', remote)
  person.git('push', '--quiet', 'origin', 'main')
  const workers: { worker: Worker; child: ChildProcess }[] = []
  const worker = async (host: string, ...flags: string[]): Promise<Worker> => {
    const started = startWorker({ person, remote, root, host }, flags)
    workers.push(started)
    await until(() => started.worker.log().includes('Works for the fleet') || started.worker.isOver(), `${host} works`)
    if (started.worker.isOver()) throw new Error(`${host} has ended: ${started.worker.log()}`)
    return started.worker
  }
  return {
    ...{ person, remote, address, worker },
    tasks: () => {
      const sync = person.gza('sync')
      if (sync.code !== 0) throw new Error(sync.stderr)
      return JSON.parse(person.gza('list', '--all', '--json').stdout)
    },
    agentLog: () => readAgentLog(join(root, 'agents.log')),
    cutRemote: () => {
      renameSync(remote, `${remote}.away`)
      return () => renameSync(`${remote}.away`, remote)
    },
    end: async () => {
      for (const { worker } of workers) worker.signalAll('SIGKILL')
      await Promise.all(workers.map(({ worker }) => worker.ended))
      await until(() => person.survivors().length === 0, 'no process is left').catch((error) => {
        throw new Error(`${error.message}: ${person.survivors().join('\n')}`)
      })
    },
  }
}

interface Place {
  person: AgentRepo
  remote: string
  root: string
  host: string
}

function startWorker({ person, remote, root, host }: Place, flags: string[]) {
  const home = join(root, `home-${host}`)
  mkdirSync(home, { recursive: true })
  copyFileSync(join(person.env.HOME ?? '', '.gitconfig'), join(home, '.gitconfig'))
  const [gza = ''] = person.argvOf(['gza'])
  const file = join(root, `${host}.log`)
  appendFileSync(file, '')
  const before = readFileSync(file, 'utf8').length
  // Neither program forks: the process is the worker itself.
  const argv = ['unshare', '--uts', 'sh', '-c', 'hostname "$0" && exec "$@"', host]
  const call = [gza, 'fleet', 'worker', '--repo', remote, '--trust-base', ...flags]
  const env = { ...person.env, HOME: home, GZA_TRUST: undefined }
  const child = spawn(argv[0] as string, [...argv.slice(1), ...call], { cwd: home, env, detached: true })
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => appendFileSync(file, text))
  let isOver = false
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      isOver = true
      resolve(code)
    })
  })
  const send = (pid: number, signal: NodeJS.Signals): void => {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
  const pid = child.pid as number
  const worker: Worker = {
    ...{ host, home, ended },
    log: () => readFileSync(file, 'utf8').slice(before),
    isOver: () => isOver,
    signal: (signal) => send(pid, signal),
    signalAll: (signal) => {
      const others = descendantsOf(pid).filter((each) => !isWatchdog(each))
      for (const each of [pid, ...others]) send(each, signal)
    },
  }
  return { worker, child }
}

function isWatchdog(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('__fleet\0watchdog')
  } catch {
    return false
  }
}

function readAgentLog(file: string): { what: string; title: string; call: string }[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [what = '', ...rest] = line.split(' ')
    return { what, title: rest.slice(0, -1).join(' '), call: rest.at(-1) ?? '' }
  })
}
