/** A machine with nothing that holds a process: no bubblewrap, no unshare, no Landlock. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'

/** A filter of the kernel: the call that makes a set of rules of Landlock fails as on a kernel without it. */
const NO_LANDLOCK = Buffer.from(
  [
    ['20000000', '00000000'], // load the number of the call
    ['15000001', 'bc010000'], // 444, landlock_create_ruleset?
    ['06000000', '26000500'], // ENOSYS
    ['06000000', '0000ff7f'], // allowed
  ]
    .flat()
    .join(''),
  'hex',
)

const START = [
  'exec 9<"$0"; hidden=; for each in bwrap setpriv; do hidden="$hidden --ro-bind /dev/null $(command -v $each)"; done',
  'exec bwrap --dev-bind / / $hidden --cap-add ALL --seccomp 9 -- "$@"',
].join('\n')

/** Only root can make it, of bubblewrap. */
export const CAN_HIDE_LEVELS = process.getuid?.() === 0 && isHere(TOOLS.bubblewrap)
if (!CAN_HIDE_LEVELS)
  console.warn('NOT TESTED: a machine without any level, which needs root and bubblewrap to be made')

/** What comes before a command line. `root`: the folder of the test, which then belongs to the user. setpriv is hidden. */
export function withoutLevels(root: string, uid = 0): string[] {
  const filter = join(root, 'filter')
  writeFileSync(filter, NO_LANDLOCK)
  if (uid === 0) return ['sh', '-c', START, filter]
  const give = `find '${root}' -uid 0 -exec chown -h ${uid}:${uid} {} + 2>/dev/null || :; exec "$@"`
  const become = ['chroot', `--userspec=${uid}:${uid}`, '--groups=', '--skip-chdir', '/']
  return ['sh', '-c', give, 'sh', 'sh', '-c', START, filter, ...become]
}
