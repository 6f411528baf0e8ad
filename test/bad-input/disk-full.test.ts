import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { add, aStartedRepo, ask, contents, gza, tipOf } from '../support/ledger-calls.ts'
import type { Repo, Result } from '../support/repo.ts'

/** Runs a shell line that may write no file larger than so many kilobytes: a full disk that needs no rights. */
function withFileLimit(repo: Repo, kilobytes: number, line: string, stdin = ''): Result {
  return repo.run(['bash', '-c', `ulimit -f ${kilobytes}; ${line}`], { stdin })
}

const lockFiles = (repo: Repo) =>
  readdirSync(join(repo.dir, '.git'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'))

const crashReports = (repo: Repo) =>
  readdirSync(join(repo.dir, '.git')).filter((name) => name.startsWith('fast_import'))

describe('a limit that git runs into', () => {
  test('is an error that names it, nothing is changed, and the same works when there is room', () => {
    const repo = aStartedRepo()
    add(repo, 'one')
    const tip = tipOf(repo)
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64')
    const hint = '  Nothing was changed. Free some space, then run the command again.\n'
    for (const name of ['gza', 'git-tasks']) {
      const { code, stdout, stderr } = withFileLimit(repo, 48, `${name} add --title large`, noise.repeat(4))
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^Error: git fast-/),
      })
      expect(stderr).toEndWith(hint)
    }
    const asData = withFileLimit(repo, 48, 'gza add --title large --json', noise.repeat(4))
    expect({ code: asData.code, error: JSON.parse(asData.stdout).error.code }).toEqual({ code: 1, error: 'DISK_FULL' })
    expect({ tip: tipOf(repo), locks: lockFiles(repo), reports: crashReports(repo) }).toEqual({
      tip,
      locks: [],
      reports: [],
    })
    expect(repo.run(['gza', 'add', '--title', 'large'], { stdin: noise.repeat(4) }).code).toBe(0)
    expect(repo.gza('verify').code).toBe(0)
  })
})

/** Whether this user may mount a small disk of their own. */
const CAN_MOUNT = Bun.spawnSync(['unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).exitCode === 0

/** The rest of a shell script that fills a small disk; where none can be mounted, a limit on files replaces it. */
function onSmallDisk(repo: Repo, script: string): Result {
  if (!CAN_MOUNT) return repo.run(['bash', '-c', `trap "" XFSZ; ulimit -f 150; ${script}`])
  const mount = 'mount -t tmpfs -o size=900k none "$1" && cd "$1" && cp -r "$0/." . && '
  return repo.run(['unshare', '-rm', 'bash', '-c', mount + script, repo.dir, repo.env.HOME ?? ''])
}

describe('a disk that runs full in the middle of the work', () => {
  test('loses no task that was acknowledged, adds none that was not, and can still be read', () => {
    const repo = aStartedRepo()
    gza(repo, 'add', 'first')
    const { code, stdout, stderr } = onSmallDisk(
      repo,
      `n=0
       for size in 200000 30000 3000 300; do
         for i in 1 2 3 4 5 6 7 8; do
           text=$(head -c $size /dev/urandom | base64 -w0)
           error=$(printf %s "$text" | gza add --title "task $n" 2>&1 >/dev/null) || { echo "$error" >&2; break; }
           echo "acknowledged task $n"; n=$((n + 1))
         done
       done
       for i in 1 2 3; do gza list | sed 's/.*: /listed /'; rm -rf .git/gza; done
       gza verify | head -1`,
    )
    expect(code).toBe(0)
    const linesOf = (start: string) => stdout.split('\n').filter((line) => line.startsWith(start))
    const acknowledged = linesOf('acknowledged ').map((line) => line.replace('acknowledged ', 'listed '))
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(linesOf('listed ')).toEqual([1, 2, 3].flatMap(() => ['listed first', ...acknowledged]))
    expect(stdout).toMatch(/^main: ok \(/m)
    const errors = stderr.split('\n').filter((line) => line.startsWith('Error: '))
    expect(errors.length).toBeGreaterThan(0)
    for (const line of errors)
      expect(line).toMatch(/No space left|Out of diskspace|File too large|cannot be written|ended by SIGXFSZ/)
    expect(stderr).not.toContain('This is a bug')
  })
})

test('output that cannot be written is an error, and what the command did stays done', () => {
  const repo = aStartedRepo()
  for (const name of ['gza', 'git-tasks']) {
    expect(repo.run(['sh', '-c', `${name} add "told to nobody" > /dev/full`])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Error: The output could not be written: .*\n {2}\S.*\n$/),
    })
  }
  expect(contents(repo)).toEqual(['told to nobody', 'told to nobody'])
  expect(ask<unknown[]>(repo, 'log')).toHaveLength(2)
})
