import type { Command, Enclosed, Person } from './box-plan.ts'
import mountBox from './mount-box.sh' with { type: 'text' }
import type { Mount } from './plan-mounts.ts'

const NAMESPACES = ['user', 'mount', 'pid', 'ipc', 'uts', 'cgroup'].map((name) => `--${name}`)

/**
 * The command in a box of util-linux. The outer namespace belongs to a root that makes the mounts; the command runs in
 * an inner one, from which they cannot be changed. The script is an argument, not a file that somebody could replace.
 */
export function unshare(
  { argv, cwd, env }: Command,
  box: { tools: UnshareTools; mounts: readonly Mount[]; network: boolean; person: Person },
): Enclosed {
  const { tools, person } = box
  const outer = [...NAMESPACES, ...(box.network ? [] : ['--net']), '--map-root-user', '--fork', '--kill-child']
  const script = [tools.sh, '-c', mountBox, 'gza-box', `${person.uid}`, `${person.gid}`, box.network ? 'net' : 'no-net']
  return {
    argv: [
      ...[tools.setpriv, '--pdeathsig', 'KILL', '--', tools.unshare, ...outer, '--'],
      ...[...script, cwd, ...box.mounts.flatMap(mountWords), '--', ...argv],
    ],
    cwd,
    env,
    holders: 2,
  }
}

export interface UnshareTools {
  setpriv: string
  unshare: string
  sh: string
}

function mountWords(mount: Mount): string[] {
  if (mount.kind === 'hide') return ['hide', '-', mount.to]
  return [`${mount.isFolder ? 'folder' : 'file'}-${mount.access}`, mount.from, mount.to]
}
