import { withLibc } from '../libc-names.ts'

/** Replaces this process by a program. It returns only by an error. */
export type Become = (program: string, argv: readonly string[], env: Record<string, string | undefined>) => never

/** Null on other systems, and where native calls are not allowed. */
export async function loadBecome(): Promise<Become | null> {
  const ffi = await import('bun:ffi')
  return withLibc((name) => bindBecome(ffi, name))
}

/** SIGPIPE and SIGXFSZ: the runtime ignores them, and a program would inherit that. */
const IGNORED_SIGNALS = [13, 25]
const SIG_DFL = 0

function bindBecome({ dlopen, ptr, read }: typeof import('bun:ffi'), name: string): Become {
  const { symbols } = dlopen(name, {
    signal: { args: ['i32', 'u64'], returns: 'u64' },
    execve: { args: ['ptr', 'ptr', 'ptr'], returns: 'i32' },
    __errno_location: { args: [], returns: 'ptr' },
  })
  return (program, argv, env) => {
    for (const signal of IGNORED_SIGNALS) symbols.signal(signal, SIG_DFL)
    const texts = (list: readonly string[]) => list.map((text) => Buffer.from(`${text}\0`))
    const pointers = (buffers: readonly Buffer[]) =>
      BigUint64Array.from([...buffers.map((buffer) => BigInt(ptr(buffer))), 0n])
    const path = Buffer.from(`${program}\0`)
    const words = texts(argv)
    const variables = texts(
      Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : `${key}=${value}`)),
    )
    const lists = [pointers(words), pointers(variables)] as const
    symbols.execve(ptr(path), ptr(lists[0]), ptr(lists[1]))
    const error = read.i32(symbols.__errno_location() as never, 0)
    // Naming them also keeps them in memory until here.
    throw new Error(`error ${error} (${words.length} words, ${variables.length} variables, ${lists.length} lists)`)
  }
}
