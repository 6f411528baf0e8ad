import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { keeps } from '../../../src/core/isolation/promises.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from './isolated-repo.ts'

const seen = (repo: IsolatedRepo, name: string): string => readFileSync(repo.beside(name), 'utf8').trim()

/** Everything that an agent does with git and gza, in one task. */
const WORK = `
set -e
commit a.txt one
git checkout -q -b side HEAD~1 && commit side.txt side && git checkout -q - && git rebase -q side && git branch -qD side
echo more >>a.txt && git stash -q && git stash pop -q && git commit -qam 'change a'
save left.txt two
gza note "$task" 'a note from inside' >/dev/null
gza add 'Filed inside' >/dev/null
git tasks list >"$beside/list"
git config core.hookspath >"$beside/hooks" || :
git status --porcelain >"$beside/status"
ls -d "$beside/../repo/.git/config" >"$beside/found" 2>/dev/null || :
`

for (const level of [...LEVELS, 'off'] as const) {
  const isolated = level !== 'off'

  test(`${level}: what an agent commits, rebases and leaves arrives on its branch`, () => {
    const repo = anIsolatedRepo(level, { Work: WORK })
    repo.add('Work')
    expect(outputOf(repo.work('1'))).toContain('✓ Task #1 completed')
    const { branch, runs, notes } = repo.task('1')
    expect(repo.git('log', '--format=%s', `main..${branch}`).split('\n')).toEqual([
      ...['Work', 'change a', 'Work: a.txt', 'Work: side.txt'],
    ])
    expect(repo.git('show', `${branch}:left.txt`)).toBe('two')
    expect(runs).toMatchObject([{ outcome: 'completed', ...(isolated && { isolation: level }) }])
    expect(runs.every((run) => 'isolation' in run)).toBe(isolated)
    expect(notes).toEqual(['a note from inside'])
    expect(repo.statuses()).toEqual({ Work: 'completed', 'Filed inside': 'pending' })
    expect(seen(repo, 'list')).toContain('Filed inside')
    expect(seen(repo, 'status')).toBe('?? left.txt')
    expect(seen(repo, 'found') === '').toBe(isolated && keeps(level, 'hides'))
    expect(repo.inbox()).toEqual([])
    expect(outputOf(repo.gza('verify'))).toContain('main: ok')
    expectNothingLeft(repo)
  })
}

for (const level of LEVELS) {
  test(`${level}: git takes no file for changed that is not`, () => {
    // Of files that are as new as the index, git does not know whether they changed since.
    const age = 'touch -d 1hour "$(git rev-parse --git-path index)"'
    const add = `${age} && echo new >new.txt && git add --all && git count-objects >"$beside/made" && git commit -qm new`
    const repo = anIsolatedRepo(level, { Add: add })
    for (const name of ['one', 'two', 'three']) repo.write(`${name}.txt`, `${name}\n`)
    repo.git('add', '--all')
    repo.git('commit', '--quiet', '--message', 'Files')
    repo.add('Add')
    expect(outputOf(repo.work('1'))).toContain('✓ Task #1 completed')
    expect(seen(repo, 'made')).toStartWith('1 objects')
  })
}
