import { expect, test } from 'bun:test'
import type { Repo } from '../../support/repo.ts'
import { aProject, BRANCH, copyOf, startedRun, withoutBox } from './boxed-run.ts'

const COMMITS = `
  echo more >> a.txt && git commit -qam 'change a'
  echo new > new.txt && git add new.txt && git rm -q c.txt && git commit -qm 'add and remove'
  mkdir -p deep/er && echo x > deep/er/x.txt && git add . && git commit -qm deep
`

for (const [name, script] of Object.entries({
  commits: COMMITS,
  'a rebase': `${COMMITS} git rebase -q --onto other HEAD~2`,
  'a merge': `git checkout -q -b side other && echo s > s.txt && git add . && git commit -qm side && git checkout -q ${BRANCH} && git merge -q --no-edit side && git branch -qD side`,
  'an amended commit': `${COMMITS} echo again >> a.txt && git commit -qa --amend -m amended`,
  'a stash that was used up': `echo s >> sub/b.txt && git stash -q && ${COMMITS} git stash pop -q && git commit -qam popped`,
  'gc and bisect': `${COMMITS} git gc -q --prune=now && git bisect start >/dev/null && git bisect bad >/dev/null && git bisect good HEAD~3 >/dev/null && git bisect reset >/dev/null 2>&1`,
  'no commit at all': 'git status >/dev/null',
})) {
  test(`after ${name}, branch, index, files and objects are as if the agent had worked in the real worktree`, async () => {
    const repo = aProject()
    const plain = withoutBox(copyOf(repo), script)
    const run = await startedRun(repo)
    run.agent(script)
    const imported = await run.import()
    expect(imported).toEqual({ head: run.worktree.git('rev-parse', 'HEAD'), ...NOTHING_ODD })
    expect(whatIsThere(run.worktree)).toEqual(whatIsThere(plain))
    expect(repo.git('for-each-ref', 'refs/gza/incoming')).toBe('')
  })
}

test('uncommitted files stay as they are, staged or not', async () => {
  const repo = aProject()
  const run = await startedRun(repo)
  run.agent('echo more >> a.txt && git commit -qam one && echo left >> a.txt && echo new > new.txt && git add new.txt')
  await run.import()
  expect(run.worktree.git('status', '--porcelain').split('\n')).toEqual([' M a.txt', '?? new.txt'])
})

const NOTHING_ODD = { fault: null, tampering: [], kept: [], refused: [] }

function whatIsThere(worktree: Repo) {
  return {
    branch: worktree.git('rev-parse', BRANCH),
    head: worktree.git('symbolic-ref', 'HEAD'),
    index: worktree.git('ls-files', '--stage'),
    status: worktree.git('status', '--porcelain'),
    fsck: worktree.run(['git', 'fsck', '--strict', '--no-dangling', '--no-progress']).code,
    heads: worktree.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags', 'refs/tasks'),
  }
}
