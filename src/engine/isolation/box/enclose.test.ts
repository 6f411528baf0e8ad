import { expect, test } from 'bun:test'
import { LEVELS } from '../../../core/isolation/levels.ts'
import { accountsInside, type BoxMaker, enclose } from './enclose.ts'

const MAKER: BoxMaker = {
  bubblewrap: '/usr/bin/bwrap',
  unshare: { setpriv: '/usr/bin/setpriv', unshare: '/usr/bin/unshare' },
  sh: '/bin/sh',
  gza: '/usr/bin/gza',
  person: { uid: 1001, gid: 1001 },
}
const PLAN = { hidden: [], readOnly: [], writable: [], over: [], network: true, home: 'writable' } as const
const COMMAND = { argv: ['agent', 'go'], cwd: '/', env: { PATH: '/bin', LD_PRELOAD: './planted.so', ENV: 'x' } }

test.each(LEVELS.filter((level) => level !== 'none'))('%s: a planted library is loaded only inside', (level) => {
  const { argv, env } = enclose(level, PLAN, COMMAND, MAKER)
  expect(env).toEqual({ PATH: '/bin' })
  expect(argv.slice(-5)).toEqual(['/usr/bin/env', 'LD_PRELOAD=./planted.so', 'ENV=x', 'agent', 'go'])
})

test('without a level the command stays as it is', () => {
  expect(enclose('none', PLAN, COMMAND, MAKER)).toEqual({ ...COMMAND, holders: 0 })
})

test('root’s number inside has the name and the home folder of root', () => {
  const passwd = 'daemon:x:1:1:daemon:/:/bin/false\nroot:x:0:0:root:/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n'
  expect(accountsInside(passwd, 0).split('\n')[0]).toBe('root:x:1000:1000:root:/root:/bin/sh')
  expect(accountsInside('root:x:0:\nann:x:1000:\n', 0)).toBe('root:x:1000:\nann:x:1000:\n')
  expect(accountsInside(passwd, 1001)).toBe(passwd)
})
