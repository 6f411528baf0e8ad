/** gza is a program with two names. No agent may replace either, wherever a person has put it. */
import { expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bin } from '../../support/built-program.ts'
import { anIsolatedRepo, expectNothingLeft, LEVELS } from './isolated-repo.ts'

const REPLACES = `
for each in gza git-tasks; do
  rm -f "$HOME/gza/dist/$each"; mv "$HOME/gza/dist/$each" "$HOME/gza/dist/away"; echo exit >"$HOME/gza/dist/$each"
done 2>/dev/null
mv "$HOME/gza/dist" "$HOME/gza/other" 2>/dev/null; touch "$HOME/gza/dist/new" 2>/dev/null
commit a.txt a`

for (const level of LEVELS)
  test(`${level}: an agent can replace neither gza nor git-tasks in the home folder of a person`, () => {
    const repo = anIsolatedRepo(level, { else: REPLACES })
    const dist = join(repo.env.HOME ?? '', 'gza/dist')
    mkdirSync(dist, { recursive: true })
    copyFileSync(bin('gza'), join(dist, 'gza'))
    symlinkSync('gza', join(dist, 'git-tasks'))
    repo.add('One')
    const command = repo.commandLine('work', '1').map((word) => (word === bin('gza') ? join(dist, 'gza') : word))
    const { code, stdout, stderr } = repo.run(command)
    expect(code, stdout + stderr).toBe(0)
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', isolation: level }])
    expect(readdirSync(dist).sort()).toEqual(['git-tasks', 'gza'])
    expect(readlinkSync(join(dist, 'git-tasks'))).toBe('gza')
    expect(repo.run([join(dist, 'git-tasks'), 'show', '1']).code).toBe(0)
    expectNothingLeft(repo)
  })
