import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProcess } from './run-process.ts'

const ROOT = join(import.meta.dir, '../..')
const CALLER = { CLAUDECODE: '1', GIT_DIR: '/nowhere', GZA_AGENT: 'codex', LINEAR_API_KEY: 'secret', TZ: 'Asia/Tokyo' }

const SHOWS_ENVIRONMENT = `import { test } from 'bun:test'
import { spawnSync } from 'node:child_process'
test('the environment', () => {
  const names = spawnSync('env').stdout.toString().match(/^\\w+(?==)/gm).filter((name) => !/_WORKER_ID$/.test(name)).sort()
  console.log(names.join(' '), 'in', process.env.HOME, spawnSync('git', ['config', 'user.name']).stdout.toString())
})
test('takes longer than Bun allows', () => new Promise((resolve) => setTimeout(resolve, 100)))
`

test.each([[[]], [['--parallel=2']]])(
  'bun test %p gives each file the environment and the time limit of the test command',
  (flags) => {
    const folder = mkdtempSync(join(tmpdir(), 'gza-preload-'))
    for (const name of ['a', 'b']) writeFileSync(join(folder, `${name}.test.ts`), SHOWS_ENVIRONMENT)
    const preload = join(ROOT, 'test/support/preload.ts')
    const argv = [process.execPath, 'test', '--timeout=10', '--preload', preload, ...flags]
    const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), ...CALLER }
    const { code, stdout, stderr } = runProcess(argv, { cwd: folder, env })
    rmSync(folder, { recursive: true })
    expect(stderr).toContain(' 4 pass')
    expect(code).toBe(0)
    const printed = [...`${stdout}\n${stderr}`.matchAll(/^(.*) in (.*\/gza-home-.*) Test$/gm)]
    const names = 'GIT_CONFIG_NOSYSTEM HOME NODE_ENV PATH TZ'
    expect(printed.map((found) => found[1])).toEqual([names, names])
    const homes = printed.map((found) => found[2] ?? '')
    expect(homes.map((home) => existsSync(home))).toEqual([false, false])
    expect(homes[0]).not.toBe(homes[1])
  },
)
