import { dlopen } from 'bun:ffi'
import { withLibc } from '../../src/platform/libc-names.ts'

const PR_SET_CHILD_SUBREAPER = 36

/** Tests that supervise in this process make it take in orphans. From now on they go to the first process, as usual. */
export function leaveOrphansToInit(): void {
  const libc = withLibc((name) =>
    dlopen(name, { prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' } }),
  )
  libc?.symbols.prctl(PR_SET_CHILD_SUBREAPER, 0n, 0n, 0n, 0n)
}
