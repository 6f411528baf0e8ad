import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { bin } from '../support/built-program.ts'
import { aRepo } from '../support/repo.ts'

test('stdin, stdout, stderr, arguments and exit code are the command’s own', () => {
  const repo = aRepo()
  const argv = [
    'gza',
    'guard',
    '--',
    'sh',
    '-c',
    'cat; echo "$1|$2"; echo err >&2; exit 42',
    'sh',
    '--json',
    'two words',
  ]
  expect(repo.run(argv, { stdin: 'in\n' })).toEqual({ code: 42, stdout: 'in\n--json|two words\n', stderr: 'err\n' })
})

test('a command ended by a signal has the code a shell would give it', () => {
  expect(aRepo().gza('guard', '--', 'sh', '-c', 'kill -KILL $$').code).toBe(137)
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s is passed on to the command, and the guard outlives it',
  async (signal) => {
    const repo = aRepo()
    const script = `trap 'echo got; exit 7' TERM INT HUP; echo ready; while :; do sleep 0.05; done`
    const child = spawn(bin('gza'), ['guard', '--', 'sh', '-c', script], {
      cwd: repo.dir,
      env: repo.env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (out === '') child.kill(signal)
      out += chunk
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect({ code, out }).toEqual({ code: 7, out: 'ready\ngot\n' })
  },
)

test('a command that is not there, or is not a program, is reported', () => {
  const repo = aRepo()
  expect(repo.gza('guard', '--', 'no-such-command')).toEqual({
    code: 127,
    stdout: '',
    stderr: 'Warning: no-such-command: no such command\n',
  })
  expect(repo.gza('guard', '--', repo.write('text', 'x')).code).toBe(126)
})

test('it needs a repository and a command, but no ledger and no branch', () => {
  const repo = aRepo()
  const head = repo.commit('first')
  repo.git('checkout', '--quiet', '--detach', head)
  expect(repo.gza('guard', '--', 'true').code).toBe(0)
  expect(repo.git('for-each-ref', 'refs/tasks')).toBe('')
  expect(repo.gza('guard').code).toBe(2)
  expect(repo.run(['gza', 'guard', '--', 'true'], { cwd: '/' }).code).toBe(1)
})

test('a folder below the top of the working tree stays the command’s folder', () => {
  const repo = aRepo()
  repo.write('sub/a', 'x')
  expect(repo.run(['gza', 'guard', '--', 'pwd'], { cwd: `${repo.dir}/sub` }).stdout).toBe(`${repo.dir}/sub\n`)
})
