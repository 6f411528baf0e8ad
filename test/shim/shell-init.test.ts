import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../support/repo.ts'

test.each(['bash', 'zsh'])('shell-init %s gives the shell the shim, once', (shell) => {
  const repo = aRepo()
  const shim = join(repo.env.HOME!, '.local/share/gza/shim')
  const start = `eval "$(gza shell-init ${shell})"`
  const result = repo.run(['bash', '-c', `${start}; ${start}; command -v git; echo "$PATH"`])
  expect(result).toEqual({ code: 0, stdout: `${shim}/git\n${shim}:${repo.env.PATH}\n`, stderr: '' })
})

test('in that shell commits carry prompts and the log shows tasks', () => {
  const repo = aRepo()
  repo.commit('first')
  const script = `eval "$(gza shell-init bash)"
    git tasks add "Write it" && git tasks done 1 && git commit -q --allow-empty -m "Write it" --prompt "It's 'the' task"
    git tasks list >/dev/null; git log -1 --tasks --format="%s: %N"; git notes --ref=prompt show HEAD`
  const result = repo.run(['bash', '-c', script])
  expect(result.code).toBe(0)
  expect(result.stdout).toMatch(/^Write it: .*task-[0-9a-f]{4}/m)
  expect(result.stdout).toEndWith("It's 'the' task\n")
})

test('log --tasks looks for the commits of closed tasks first, in every ledger, on any HEAD and from any folder', () => {
  const repo = aRepo()
  repo.commit('first')
  const script = `eval "$(gza shell-init bash)"
    git tasks add "Write it" && git tasks done 1 && git commit -q --allow-empty -m "Written"
    git log -1 --tasks --format="%s: %N"
    git checkout -q -b feature && git tasks add "Test it" && git tasks done 1 && git commit -q --allow-empty -m "Tested"
    git checkout -q --detach main && cd / && git -C ${repo.dir} log -1 --tasks --format="%s: %N" feature`
  const result = repo.run(['bash', '-c', script])
  expect(result).toMatchObject({ code: 0, stderr: '' })
  expect(result.stdout).toMatch(/^Written: task-[0-9a-f]{4}: Write it$/m)
  expect(result.stdout).toMatch(/^Tested: task-[0-9a-f]{4}: Test it$/m)
})

test('fish has a line of its own, and a folder with quotes is quoted', () => {
  const data = join(aRepo().dir, "it's data")
  const other = aRepo().withEnv({ XDG_DATA_HOME: data })
  expect(other.gza('shell-init', 'fish').stdout).toBe(
    `contains -- '${data.replace("'", "\\'")}/gza/shim' $PATH; or set -gx PATH '${data.replace("'", "\\'")}/gza/shim' $PATH\n`,
  )
  const result = other.run(['bash', '-c', 'eval "$(gza shell-init bash)"; command -v git'])
  expect(result).toEqual({ code: 0, stdout: `${data}/gza/shim/git\n`, stderr: '' })
})

test('running it again, also outside a repository, changes nothing', () => {
  const repo = aRepo()
  const first = repo.run(['gza', 'shell-init'], { cwd: '/' })
  const { ino } = statSync(join(repo.env.HOME!, '.local/share/gza/shim/git'))
  expect(repo.run(['gza', 'shell-init', 'bash'], { cwd: '/' })).toEqual(first)
  expect(statSync(join(repo.env.HOME!, '.local/share/gza/shim/git')).ino).toBe(ino)
})
