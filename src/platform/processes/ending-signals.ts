import { withLibc } from '../libc-names.ts'

/**
 * The signals that ask this process to end. SIGHUP is not one of them if it was ignored when the process started, as
 * after `nohup`: a handler would make it count again. So every handler of these signals is installed for this list, which is
 * read before the first one is.
 */
export function endingSignals(): readonly NodeJS.Signals[] {
  signals ??= isHangUpIgnored() ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
  return signals
}

let signals: readonly NodeJS.Signals[] | undefined

/** Only Linux shows it. The mask has a bit for each signal, and SIGHUP is the first. */
function isHangUpIgnored(): boolean {
  if (process.platform !== 'linux') return false
  const mask =
    /^SigIgn:\s*([0-9a-f]+)$/m.exec(
      process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'utf8'),
    )?.[1] ?? '0'
  return (BigInt(`0x${mask}`) & 1n) === 1n
}

/**
 * Ends this process. On Linux at once: the runtime would first empty the log of every index that is left open
 * (open-state.ts), with two syncs. If somebody has something to do at the end, it ends as usual.
 */
export function endProcess(code: number): never {
  const { dlopen } = (Bun as unknown as { FFI: NativeCalls }).FFI
  if (process.listenerCount('exit') === 0)
    withLibc((name) => dlopen(name, { _exit: { args: ['i32'], returns: 'void' } }))?.symbols._exit(code)
  process.exit(code)
}

/** What bun:ffi calls (quick-stat.ts). */
interface NativeCalls {
  dlopen(
    library: string,
    functions: { _exit: { args: string[]; returns: string } },
  ): { symbols: { _exit: (code: number) => void } }
}
