/** gza is started without HOME, as in a service or a cron job. The home folder is then the one of the account. */
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isBox } from '../../../src/core/isolation/levels.ts'
import { anIsolatedRepo, expectNothingLeft, LEVELS } from './isolated-repo.ts'

/** The home folder of the test is that of root for the program, and of nobody else. */
const START = ['unshare', '--mount', '--propagation', 'private', 'sh', '-ec']
const AS_ROOTS_HOME = 'mount --bind "$0" "$(getent passwd 0 | cut -d: -f6)"; unset HOME; exec "$@"'

const ACT = 'cat ~root/.ssh/key ~root/.codex/auth ~root/.config/gza/config.yaml >"$beside/read" 2>&1; commit a.txt a'

if (process.getuid?.() !== 0) console.warn('NOT TESTED: gza without HOME, which needs root to give it a home folder')
else
  for (const level of LEVELS.filter(isBox))
    test(`${level}: keys in the home folder are hidden, and the work lands`, () => {
      const command = 'test -s README.md && ! cat ~root/.ssh/key ~root/.codex/auth'
      const repo = anIsolatedRepo(level, { else: ACT }, { config: { land: 'merge', verify: { command } } })
      const home = repo.env.HOME ?? ''
      for (const name of ['.ssh/key', '.codex/auth']) {
        mkdirSync(dirname(join(home, name)), { recursive: true })
        writeFileSync(join(home, name), `SECRET of ${name}\n`)
      }
      // Git itself reads no settings of the person then.
      repo.git('config', 'user.name', 'Test')
      repo.git('config', 'user.email', 'test@example.com')
      repo.add('One')
      const { code, stdout, stderr } = repo.run([...START, AS_ROOTS_HOME, home, ...repo.commandLine('work')])
      expect(code, stdout + stderr).toBe(0)
      const { runs, landings } = repo.task('1')
      expect(runs, stdout + stderr).toMatchObject([{ outcome: 'completed', isolation: level }])
      expect(landings, stdout + stderr).toMatchObject([{ outcome: 'landed' }])
      const read = readFileSync(repo.beside('read'), 'utf8')
      expect(read).not.toContain('SECRET of .ssh/key')
      expect(read).not.toContain('allow:')
      // An agent may read the login of its client; a check may not.
      expect(read).toContain('SECRET of .codex/auth')
      expectNothingLeft(repo)
    })
