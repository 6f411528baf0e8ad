import { expect, test } from 'bun:test'
import { outputOf } from '../../support/ledger-answers.ts'
import { expectNothingLeft } from '../runs/isolated-repo.ts'
import { anOwnTree, BOXES, DONE } from './own-tree-repo.ts'

/** Everything that an agent does with git and gza, in one task. */
const WORK = `
set -e
commit a.txt one
git checkout -q -b side HEAD~1 && commit side.txt side && git checkout -q - && git rebase -q side && git branch -qD side
echo more >>a.txt && git stash -q && git stash pop -q && git commit -qam 'change a' --prompt 'what I was asked'
gza note "$task" 'a note from inside' >/dev/null
gza add 'Filed inside' >/dev/null
git tasks list >"$beside/list"
git tasks context >"$beside/context"
git tasks show "$task" >"$beside/show"
git tasks ready >"$beside/ready"
git tasks next >"$beside/next"
${DONE} >"$beside/done"
git status --porcelain >"$beside/status"
cat .git/config >"$beside/config"
`

for (const level of [...BOXES, 'off'] as const) {
  const isolated = level !== 'off'

  test(`${level}: what an agent commits in the person’s tree arrives there, and counts when it is done`, () => {
    const repo = anOwnTree(level, { Work: WORK, else: `commit "$title.txt" x; ${DONE}` })
    repo.add('Work')
    repo.git('config', 'gza.secret', 'SECRET')
    const start = repo.git('rev-parse', 'HEAD')
    const { code, stdout, stderr } = repo.runTasks()
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toContain('All tasks complete!')
    expect(repo.git('log', '--format=%s', `${start}..main`).split('\n')).toEqual([
      ...['Filed inside: Filed inside.txt', 'change a', 'Work: a.txt', 'Work: side.txt'],
    ])
    expect(repo.git('status', '--porcelain')).toBe('')
    const { runs, notes, closed_commit } = repo.task('1')
    expect(runs).toMatchObject([{ outcome: 'completed', in_tree: true, ...(isolated && { isolation: level }) }])
    expect(runs.every((run) => 'isolation' in run)).toBe(isolated)
    expect(closed_commit).toBe(repo.git('rev-parse', 'HEAD~1'))
    expect(notes).toEqual(['a note from inside'])
    expect(repo.git('notes', '--ref=prompt', 'show', 'HEAD~1')).toBe('what I was asked')
    expect(repo.git('log', '-1', '--format=%N', '--notes=refs/notes/tasks', 'HEAD~1')).toContain(repo.task('1').id)
    expect(repo.seen('list')).toContain('Filed inside')
    expect(repo.seen('done')).toContain(repo.task('1').id)
    expect(repo.seen('status')).toBe('')
    expect(repo.seen('config').includes('SECRET')).toBe(!isolated)
    expect(repo.gza('show', '1').stdout.includes(`isolation: ${level}`)).toBe(isolated)
    expect(repo.inbox()).toEqual([])
    expect(outputOf(repo.gza('verify'))).toContain('main: ok')
    expectNothingLeft(repo)
  })
}
