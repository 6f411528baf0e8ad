/**
 * Sockets that run a command outside for anyone who may connect: those of a multiplexer, an editor or a watcher of files,
 * and those of the system's managers, for which root in a box is root. A socket cannot be made read-only, so the box hides
 * it. Those in /tmp are hidden with it.
 */
import { join } from 'node:path'
import { userId } from '../../../platform/files/private-folder.ts'
import { homeFolder } from '../../../platform/files/user-folders.ts'
import type { Env } from '../../../platform/git/git.ts'
import { isInside } from '../box/plan-mounts.ts'

export function commandSockets(env: Env): string[] {
  const named = [
    ...[env.TMUX?.replace(/,.*$/s, ''), env.WATCHMAN_SOCK, env.NVIM, env.NVIM_LISTEN_ADDRESS, env.EMACS_SOCKET_NAME],
    ...[env.KITTY_LISTEN_ON?.replace(/^unix:/, ''), env.VSCODE_IPC_HOOK_CLI, env.XAUTHORITY, env.SCREENDIR],
    env.TMUX_TMPDIR && join(env.TMUX_TMPDIR, `tmux-${userId()}`),
  ]
  return [...outsideOfTmp(named), ...OF_SYSTEM, ...inHome(env, ['.emacs.d/server', '.screen', '.dbus', '.Xauthority'])]
}

const OF_SYSTEM = [
  ...['/run/dbus', '/run/systemd/private', '/run/snapd.socket', '/run/snapd-snap.socket', '/run/udev/control'],
  ...['/run/screen', '/run/screens', '/run/uscreens', '/run/tmux', '/run/watchman', '/usr/local/var/run/watchman'],
  ...['/run/libvirt', '/run/incus', '/var/lib/incus/unix.socket', '/var/lib/lxd/unix.socket'],
  '/var/snap/lxd/common/lxd/unix.socket',
]

export function containerSockets(env: Env): string[] {
  const named = [env.DOCKER_HOST, env.CONTAINER_HOST].map((address) => address?.replace(/^unix:\/\//, ''))
  const ofSystem = ['docker.sock', 'containerd', 'podman', 'crio', 'k3s', 'buildkit'].map((name) => `/run/${name}`)
  const ofDesktop = ['.docker/run', '.docker/desktop', '.colima', '.lima', '.rd', '.orbstack/run']
  return [...outsideOfTmp(named), ...ofSystem, ...inHome(env, ofDesktop)]
}

/** With Landlock, nothing new could be made in /tmp if something in it were protected. */
function outsideOfTmp(paths: readonly (string | undefined)[]): string[] {
  return paths.flatMap((path) => (path === undefined || isInside(path, '/tmp') ? [] : [path]))
}

function inHome(env: Env, names: readonly string[]): string[] {
  return names.map((name) => join(homeFolder(env), name))
}
