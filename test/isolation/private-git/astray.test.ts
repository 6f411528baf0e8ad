import { expect, test } from 'bun:test'
import { keepLeftovers } from '../../../src/engine/worktree/keep-leftovers.ts'
import { findRepo } from '../../../src/platform/git/find-repo.ts'
import { aProject, BRANCH, copyOf, RUN, startedRun, withoutBox } from './boxed-run.ts'

const ONE = "echo more >> a.txt && git commit -qam 'change a'"

for (const [name, script] of Object.entries({
  'moves its branch back': `${ONE} && git reset -q --hard HEAD~2`,
  'detaches HEAD': `${ONE} && git checkout -q --detach && git commit -q --allow-empty -m loose`,
  'works on another branch': `${ONE} && git checkout -q -b mine && git commit -q --allow-empty -m mine`,
  'renames its branch': `${ONE} && git branch -m renamed`,
  'deletes its branch': `${ONE} && git checkout -q --detach && git branch -qD ${BRANCH}`,
  'deletes its branch under itself': `${ONE} && git update-ref -d refs/heads/${BRANCH}`,
  'leaves a rebase unfinished': `${ONE} && git checkout -q -b side other && echo s > a.txt && git commit -qam s && git checkout -q ${BRANCH} && ! git rebase -q side 2>/dev/null`,
  'leaves a cherry-pick unfinished': `git checkout -q -b side other && echo s > a.txt && git commit -qam s && git checkout -q ${BRANCH} && ! git cherry-pick side >/dev/null 2>&1`,
  'leaves a bisect unfinished': `${ONE} && git bisect start >/dev/null && git bisect bad >/dev/null && git bisect good HEAD~2 >/dev/null`,
})) {
  test(`an agent that ${name} is judged as without a box, and no commit is lost`, async () => {
    const repo = aProject()
    const plain = withoutBox(copyOf(repo), script)
    const found = findRepo(plain.dir, plain.env)
    const base = repo.git('rev-parse', 'main')
    const workplace = { branch: BRANCH, path: plain.dir, base }
    const kept = await keepLeftovers(found, workplace, {
      ...{ run: RUN, level: 'none', message: 'left', identity: 'A <a@example.com>' },
    })
    const run = await startedRun(repo)
    run.agent(script)
    const made = run.tryAgent('git rev-parse --verify -q HEAD').stdout.trim()
    const imported = await run.import()
    const fault = kept.fault?.kind === 'rewound' ? null : kept.fault
    expect(imported.fault).toEqual(fault)
    const isGone = plain.run(['git', 'rev-parse', '--verify', '-q', `refs/heads/${BRANCH}`]).code !== 0
    expect(imported.head).toBe(isGone ? base : kept.head)
    if (made !== '') expect(repo.run(['git', 'cat-file', '-e', made]).code).toBe(0)
    expect(repo.run(['git', 'fsck', '--strict', '--no-progress']).code).toBe(0)
  })
}
