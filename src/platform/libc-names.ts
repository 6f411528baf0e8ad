/**
 * The names that Linux's C library may have, for loading it; none on other systems. If the system knows no library of a
 * name, the runtime looks for it in the current folder. That may be anybody's repository, so a name that exists there is
 * left out.
 */
export function libcNames(): string[] {
  if (process.platform !== 'linux') return []
  return ['libc.so.6', MUSL].filter((name) => Bun.file(name).size === 0)
}

const MUSL = `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`
