import { expect, test } from 'bun:test'
import { landlockPlan, openPaths } from './landlock.ts'

const FOLDERS: Record<string, string[]> = {
  '/': ['/dev', '/etc', '/home', '/proc', '/sys', '/tmp'],
  '/home': ['/home/me', '/home/you'],
  '/home/me': ['/home/me/.cache', '/home/me/repo'],
  '/state/worktree': ['/state/worktree/file', '/state/worktree/kept'],
}
const list = (folder: string): string[] => FOLDERS[folder] ?? []
const lookUp = (path: string) => ({ path, isFolder: true })
const mayChange = (): boolean => true
const devices = (paths: readonly string[]): string[] => paths.filter((path) => !path.startsWith('/dev/'))

test('a folder with something to keep in it is opened entry by entry, also a writable one', () => {
  const plan = landlockPlan(
    {
      hidden: ['/home/me/repo'],
      readOnly: ['/state/worktree/kept'],
      writable: ['/home/me/repo/.worktrees/one', '/state/worktree'],
      over: [{ from: '/state/tmp', to: '/tmp', access: 'writable' }],
      network: false,
      home: 'writable',
    },
    { lookUp, home: '/home/me', isRoot: false, mayChange },
  )
  expect(plan).toMatchObject({ network: false, temporary: '/state/tmp' })
  expect(devices(openPaths(plan, list)).sort()).toEqual([
    '/etc',
    '/home/me/.cache',
    '/home/me/repo/.worktrees/one',
    '/home/you',
    '/state/tmp',
    '/state/worktree/file',
    '/tmp',
  ])
})

test('for root only its own folders are open', () => {
  const plan = { hidden: ['/home/me/repo'], readOnly: [], writable: [], over: [], network: true } as const
  const paths = openPaths(
    landlockPlan({ ...plan, home: 'writable' }, { lookUp, home: '/home/me', isRoot: true, mayChange }),
    list,
  )
  expect(devices(paths)).toEqual(['/tmp', '/var/tmp', '/home/me/.cache'])
  const strict = landlockPlan({ ...plan, home: 'read-only' }, { lookUp, home: '/home/me', isRoot: true, mayChange })
  expect(devices(openPaths(strict, list))).toEqual(['/tmp', '/var/tmp'])
})
