import type { Command, Enclosed, Person } from './box-plan.ts'
import { asFirst } from './first-process.ts'
import type { MountOrder } from './mount-box.ts'
import type { Mount } from './plan-mounts.ts'

/** The first argument that makes gza's own executable make the mounts of a box (`main.ts`). */
const BOX_COMMAND = '__box'

const NAMESPACES = ['user', 'mount', 'pid', 'ipc', 'uts', 'cgroup'].map((name) => `--${name}`)

/**
 * The command in a box of util-linux. The outer namespace belongs to a root that makes the mounts; the command runs in
 * an inner one, from which they cannot be changed.
 */
export function unshare(
  { argv, cwd, env }: Command,
  box: { tools: UnshareTools; sh: string; gza: string; mounts: readonly Mount[]; network: boolean; person: Person },
): Enclosed {
  const { tools, person, mounts, network } = box
  const outer = [...NAMESPACES, ...(network ? [] : ['--net']), '--map-root-user', '--fork', '--kill-child']
  const inner = ['--user', `--map-user=${person.uid}`, `--map-group=${person.gid}`, '--keep-caps']
  const dropped = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all']
  return {
    argv: [
      ...[tools.setpriv, '--pdeathsig', 'KILL', '--', tools.unshare, ...outer, '--'],
      ...[box.gza, BOX_COMMAND, JSON.stringify({ mounts, network, cwd } satisfies MountOrder)],
      ...asFirst(box.sh, [tools.unshare, ...inner, tools.setpriv, ...dropped, '--', ...argv]),
    ],
    cwd,
    env,
    holders: 2,
  }
}

export interface UnshareTools {
  setpriv: string
  unshare: string
}
