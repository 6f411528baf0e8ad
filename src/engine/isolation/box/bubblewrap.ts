import type { Command, Enclosed, Person } from './box-plan.ts'
import { asFirst } from './first-process.ts'
import type { Mount } from './plan-mounts.ts'

const NAMESPACES = ['user', 'pid', 'ipc', 'uts'].map((name) => `--unshare-${name}`)

/** The command in a box of bubblewrap. */
export function bubblewrap(
  { argv, cwd, env }: Command,
  box: { program: string; sh: string; mounts: readonly Mount[]; network: boolean; person: Person },
): Enclosed {
  const { uid, gid } = box.person
  const options = [
    ...[...NAMESPACES, '--unshare-cgroup-try', ...(box.network ? [] : ['--unshare-net'])],
    // The session has no terminal into which a program inside could type.
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--uid', `${uid}`, '--gid', `${gid}`],
    '--as-pid-1',
    ...mountOptions(box.mounts),
    ...['--chdir', cwd],
  ]
  return { argv: [box.program, ...options, '--', ...asFirst(box.sh, argv)], cwd, env, holders: 2 }
}

function mountOptions([root, ...others]: readonly Mount[]): string[] {
  const hidden = others.filter(({ kind }) => kind === 'hide')
  return [
    ...(root ? mountOption(root) : []),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...others.flatMap(mountOption),
    // Last, because mount points are made in it. A write that gets lost would be worse than one that fails.
    ...hidden.flatMap(({ to }) => ['--remount-ro', to]),
  ]
}

function mountOption(mount: Mount): string[] {
  if (mount.kind === 'hide') return ['--tmpfs', mount.to]
  return [mount.access === 'writable' ? '--bind' : '--ro-bind', mount.from, mount.to]
}
