import { expect, test } from 'bun:test'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anIsolatedRepo, LEVELS } from './isolated-repo.ts'

const ACT = 'commit b.txt b; mkdir -p locked/deep; echo work >locked/deep/a.txt; chmod 000 locked/deep; mkfifo pipe'

for (const level of LEVELS)
  test(`${level}: what an agent leaves in a folder that nobody may read is named and stays`, () => {
    const repo = anIsolatedRepo(level, { else: ACT }, { defaults: { max_attempts: 1 } })
    // With it, git in the box is asked what differs.
    repo.git('config', 'filter.lfs.clean', 'cat')
    repo.add('Locks its folder')
    const { code, stdout } = repo.work('1')
    expect({ code, runs: repo.task('1').runs }).toMatchObject({
      code: 1,
      runs: [{ outcome: 'failed', detail: 'locked/deep: it cannot be read' }],
    })
    expect(stdout).toContain('locked/deep')
    const [worktree = ''] = repo.worktrees()
    chmodSync(join(worktree, 'locked/deep'), 0o755)
    expect(readFileSync(join(worktree, 'locked/deep/a.txt'), 'utf8')).toBe('work\n')
  })
