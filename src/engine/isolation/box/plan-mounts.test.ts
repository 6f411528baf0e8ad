import { expect, test } from 'bun:test'
import type { BoxPlan } from './box-plan.ts'
import { type LookUp, type Mount, planMounts } from './plan-mounts.ts'

const NOTHING: BoxPlan = { hidden: [], readOnly: [], writable: [], over: [], network: true, home: 'writable' }
const FILES = ['/home/me/.netrc', '/run/gitfile', '/work/.git']
const MISSING = ['/home/me/.aws', '/home/me/repo/.git/lfs']
const LINKS: Record<string, string> = { '/var/run': '/run' }

const lookUp: LookUp = (path) =>
  MISSING.includes(path) ? null : { path: LINKS[path] ?? path, isFolder: !FILES.includes(path) }

/** A person's folders are below /home/me and /data. */
const mayChange = (folder: string): boolean => /^\/(home\/me|data)(\/|$)/.test(folder)

function mountsOf(plan: Partial<BoxPlan>, isRoot = false): string[] {
  return planMounts({ ...NOTHING, ...plan }, { lookUp, home: '/home/me', isRoot, mayChange }).map(shown)
}

function shown(mount: Mount): string {
  if (mount.kind === 'hide') return `hide ${mount.to}`
  return `${mount.access} ${mount.from === mount.to ? mount.to : `${mount.from} at ${mount.to}`}`
}

test('a folder is mounted before what is inside it, so that the deepest path decides', () => {
  const plan = {
    hidden: ['/home/me/repo', '/home/me/.ssh'],
    readOnly: ['/home/me/repo/.git/objects'],
    writable: ['/home/me/repo/.worktrees/one'],
    home: 'read-only' as const,
  }
  expect(mountsOf(plan)).toEqual([
    'writable /',
    'read-only /sys',
    'read-only /home/me',
    'hide /home/me/repo',
    'hide /home/me/.ssh',
    'read-only /home/me/repo/.git/objects',
    'writable /home/me/repo/.worktrees/one',
  ])
})

test('a private /tmp comes before a worktree inside of it', () => {
  const over = [{ from: '/state/run/tmp', to: '/tmp', access: 'writable' as const }]
  const mounts = mountsOf({ writable: ['/tmp/x/worktree'], over })
  expect(mounts.slice(2)).toEqual(['writable /state/run/tmp at /tmp', 'writable /home/me', 'writable /tmp/x/worktree'])
})

test('for the same path the later list decides, and links are followed', () => {
  const mounts = mountsOf({ hidden: ['/var/run', '/state'], writable: ['/state'] })
  expect(mounts).toContain('hide /run')
  expect(mounts.filter((mount) => mount.endsWith(' /state'))).toEqual(['writable /state'])
})

test('a hidden file is covered by an empty one, and what does not exist is left out', () => {
  const mounts = mountsOf({ hidden: ['/home/me/.netrc', '/home/me/.aws'], readOnly: ['/home/me/repo/.git/lfs'] })
  expect(mounts.slice(3)).toEqual(['read-only /dev/null at /home/me/.netrc'])
})

test('nothing is made outside: a place for a mount exists, or is in a hidden folder', () => {
  const over = [{ from: '/run/gitfile', to: '/home/me/.aws', access: 'read-only' as const }]
  expect(() => mountsOf({ over })).toThrow("/home/me/.aws does not exist, but an agent's box needs it")
  expect(() => mountsOf({ writable: ['/home/me/.aws'] })).toThrow('/home/me/.aws does not exist')
  const inside = [{ from: '/run/gitfile', to: '/home/me/repo/.git/lfs', access: 'read-only' as const }]
  expect(mountsOf({ hidden: ['/home/me/repo'], over: inside })).toContain(
    'read-only /run/gitfile at /home/me/repo/.git/lfs',
  )
})

test('for root the system and the settings of the kernel are read-only', () => {
  const mounts = mountsOf({}, true)
  expect(mounts[0]).toBe('read-only /')
  expect(mounts).toContain('read-only /proc/sys')
  expect(mounts.filter((mount) => mount.startsWith('writable'))).toEqual([
    'writable /tmp',
    'writable /var/tmp',
    'writable /home/me',
  ])
})

test('a folder above something protected becomes a mount, which cannot be renamed', () => {
  const plan = {
    hidden: ['/home/me/.config/gza', '/data/group/repo', '/run/user/1'],
    readOnly: ['/home/me/worktree/lib/sub/.git'],
    writable: ['/home/me/worktree'],
    tree: '/home/me/worktree',
  }
  expect(mountsOf(plan).slice(2)).toEqual([
    'writable /home/me',
    'writable /data/group',
    'hide /data/group/repo',
    'hide /run/user/1',
    'writable /home/me/worktree',
    'writable /home/me/.config',
    'hide /home/me/.config/gza',
    'read-only /home/me/worktree/lib/sub/.git',
  ])
})
