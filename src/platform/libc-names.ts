/**
 * What `load` makes of Linux's C library; null on other systems, and if it fails for each of the library's names. If the
 * system knows no library of a name, the runtime looks for it in the current folder. That may be anybody's repository,
 * so a name that exists there is not tried.
 */
export function withLibc<T>(load: (name: string) => T): T | null {
  if (process.platform !== 'linux') return null
  for (const name of ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]) {
    if (Bun.file(name).size > 0) continue
    try {
      return load(name)
    } catch {
      // This C library has another name.
    }
  }
  return null
}
