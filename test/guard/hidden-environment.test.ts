import { expect, test } from 'bun:test'
import { copyFileSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { bin } from '../support/built-program.ts'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

const IS_LINUX = process.platform === 'linux'

/** What an agent can read of the gza that has started it. */
const LOOK = `for part in environ mem; do head -c 100 /proc/$PPID/$part >"$beside/$part" 2>"$beside/$part.error"; done
cut -d ' ' -f 1 /proc/$PPID/stat >"$beside/stat"; echo $PPID >"$beside/parent"`

/** Everything is permitted to root, so that its tests run gza as another user. */
function asOrdinaryUser(repo: AgentRepo): (...args: string[]) => ReturnType<AgentRepo['run']> {
  const env = { LINEAR_API_KEY: 'a-key-of-a-tracker' }
  if (process.getuid?.() !== 0) return (...args) => repo.run(['gza', ...args], { env })
  const root = dirname(repo.dir)
  copyFileSync(bin('gza'), repo.beside('gza'))
  symlinkSync('gza', repo.beside('git-tasks'))
  repo.run(['chown', '-R', '65534:65534', root])
  const user = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', repo.beside('gza')]
  return (...args) => repo.run([...user, ...args], { env: { ...env, PATH: `${root}:${repo.env.PATH}` } })
}

test.if(IS_LINUX)('an agent reads no key out of the gza that has started it, and gza still finds itself', () => {
  const repo = anUnboxedRepo({
    spy: `${LOOK}; commit a.txt a`,
    killer: '[ -e "$beside/killed" ] && commit b.txt b || { touch "$beside/killed"; kill -9 $PPID; exec sleep 100; }',
  })
  repo.add('spy')
  repo.add('killer')
  const gza = asOrdinaryUser(repo)
  const read = (name: string) => repo.run(['cat', repo.beside(name)]).stdout
  expect(gza('work', '1')).toMatchObject({ code: 0 })
  expect([read('environ'), read('mem')]).toEqual(['', ''])
  expect(read('environ.error')).toContain('Permission denied')
  expect(read('stat')).toBe(read('parent'))
  expect(JSON.parse(gza('show', '1', '--json').stdout).status).toBe('completed')
  // A gza that was killed is known as dead, and what it left is ended.
  gza('work', '2')
  expect(gza('work', '2')).toMatchObject({ code: 0 })
  expect(JSON.parse(gza('show', '2', '--json').stdout)).toMatchObject({ status: 'completed' })
  expect(repo.survivors()).toEqual([])
})

test.if(IS_LINUX)('a command under gza guard reads no key out of it either', () => {
  const repo = anUnboxedRepo({})
  const { stdout, stderr } = asOrdinaryUser(repo)('guard', '--', 'sh', '-c', 'cat /proc/$PPID/environ')
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('Permission denied')])
})
