import { UserError } from '../../core/user-error.ts'
import { endingSignals } from '../processes/ending-signals.ts'
import { signalGroup } from '../processes/process-table.ts'
import { leaveToRuntime } from '../processes/subreaper.ts'
import { describeExit, type GitExit, type GitPlace, runGit, startGit, tryGit } from './git.ts'

/** How long it may be silent, or take in all. */
export interface Limit {
  seconds: number
  of: 'silence' | 'all'
}

/** `silent`: it was ended because it printed nothing, or took longer than all that was allowed, for that many seconds. */
export interface RemoteExit extends GitExit {
  silent: number | null
}

/**
 * Runs a git command that contacts a remote. If it prints nothing for too long, it is ended with all its child
 * processes; the same happens on Ctrl-C. (Other git processes run in their own session so that they survive Ctrl-C.)
 * With --progress, git prints something every second while data moves; without a limit it could be silent forever.
 */
export async function askRemote(
  place: GitPlace,
  args: readonly string[],
  limit: Limit | null = null,
): Promise<RemoteExit> {
  // Before git starts: a signal that comes between the two would end this process and leave git running.
  let end = async (): Promise<void> => {}
  const listening = endOnSignal(() => end())
  const git = startGit(place, args, undefined)
  end = () => endGroup(git)
  const { forget } = leaveToRuntime(git.pid)
  const watch = watchTime(limit, end)
  const output = Promise.all([collect(git.stdout, watch.reset), collect(git.stderr, watch.reset)])
  await git.exited
  forget()
  const silent = watch.stop() && limit !== null ? limit.seconds : null
  // A process that the transport left running may hold the pipes open.
  const [stdout, stderr] = await Promise.race([output, Bun.sleep(LATE_OUTPUT_MS).then(() => NOTHING)])
  await listening.stop()
  return { ...describeExit(git, stdout, stderr.toString()), silent }
}

const LATE_OUTPUT_MS = 5000
const NOTHING = [Buffer.alloc(0), Buffer.alloc(0)] as const
const GRACE_MS = 2000

type Running = ReturnType<typeof startGit>

/** A polite signal first: git then removes its temporary files and locks. */
async function endGroup(git: Running): Promise<void> {
  signalGroup(git.pid, 'SIGTERM')
  await Promise.race([git.exited, Bun.sleep(GRACE_MS)])
  signalGroup(git.pid, 'SIGKILL')
}

/** Once git has ended, the signal has its usual effect on this process, unless others here handle it. */
function endOnSignal(end: () => Promise<void>): { stop(): Promise<void> } {
  let ending: Promise<void> | null = null
  const signals = endingSignals()
  const forget = () => {
    for (const signal of signals) process.off(signal, endGit)
  }
  const endGit = (signal: NodeJS.Signals) => {
    ending ??= end().then(() => {
      forget()
      if (process.listenerCount(signal) > 0) return
      process.kill(process.pid, signal)
      return new Promise<never>(() => {})
    })
  }
  for (const signal of signals) process.on(signal, endGit)
  return {
    stop: async () => {
      await ending
      forget()
    },
  }
}

function watchTime(limit: Limit | null, end: () => Promise<void>): { reset(): void; stop(): boolean } {
  if (limit === null) return { reset: () => {}, stop: () => false }
  const { seconds, of } = limit
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    void end()
  }, seconds * 1000)
  return {
    reset: () => void (of === 'silence' && timer.refresh()),
    stop: () => {
      clearTimeout(timer)
      return isOver
    },
  }
}

async function collect(stream: ReadableStream<Uint8Array>, onChunk: () => void): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) {
    onChunk()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const PATIENCE_SECONDS = 120

/** How long a remote may be silent: `gza.syncTimeout` in git's configuration. */
export function patience(place: GitPlace): Limit {
  const value = configured(place, 'gza.synctimeout')
  if (value === '') return { seconds: PATIENCE_SECONDS, of: 'silence' }
  if (/^[1-9][0-9]{0,5}$/.test(value)) return { seconds: Number(value), of: 'silence' }
  throw new UserError('BAD_SETTING', `gza.syncTimeout is '${value}', which is not a number of seconds above 0`, {
    hint: `git config gza.syncTimeout ${PATIENCE_SECONDS}`,
  })
}

/** For a command that nobody asked for: git must not ask for a password, in the terminal or in a window. */
export function withoutQuestions<T extends GitPlace>(place: T): T {
  const { GIT_SSH, GIT_SSH_COMMAND } = place.env
  const own = GIT_SSH_COMMAND || configured(place, 'core.sshcommand') || (GIT_SSH ? `'${GIT_SSH}'` : 'ssh')
  const silent = /plink/i.test(own) ? '-batch' : '-o BatchMode=yes'
  const answers = { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', SSH_ASKPASS: '', GCM_INTERACTIVE: 'never' }
  const quiet = { ...place, env: { ...place.env, ...answers, GIT_SSH_COMMAND: `${own} ${silent}` } }
  const settings = known.get(place)
  if (settings !== undefined) knowSettings(quiet, settings)
  return quiet
}

/** Settings about remotes by key, of which git need not be asked. */
const known = new WeakMap<GitPlace, Readonly<Record<string, string>>>()

export function knowSettings(place: GitPlace, settings: Readonly<Record<string, string>>): void {
  known.set(place, settings)
}

/** The value of a setting about remotes, with section and name in lower case; empty if it is not set. */
export function configured(place: GitPlace, name: string): string {
  const settings = known.get(place)
  if (settings !== undefined) return settings[name]?.trim() ?? ''
  return tryGit(place, ['config', '--get', name]).stdout.toString().trim()
}

/** The names of all remotes. */
export function remoteNames(place: GitPlace): string[] {
  const names = Object.keys(known.get(place) ?? {}).flatMap((key) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? [])
  return names.length > 0 ? names : runGit(place, ['remote']).toString().split('\n').filter(Boolean)
}
