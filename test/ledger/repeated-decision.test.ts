import { expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

/** The repository with a `git` that moves the ledger to a commit just before gza's first update of it. */
function withMovingGit(repo: Repo, commit: string): Repo {
  const folder = join(repo.dir, '..')
  const git = Bun.which('git', { PATH: repo.env.PATH as string })
  const move = `mkdir '${folder}/moved' 2>/dev/null && ${git} -C '${repo.dir}' update-ref refs/tasks/main ${commit}`
  const script = `case " $* " in *" update-ref "*) ${move} ;; esac\nexec ${git} "$@"`
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'git'), 0o755)
  return repo.withEnv({ PATH: [folder, repo.env.PATH].join(delimiter) })
}

const WARNING = 'the parent of this task, stays completed'

test('a change that is decided again prints only the warnings of the decision that was recorded', () => {
  const repo = aRepo()
  outputOf(repo.gza('add', 'parent'))
  const whileOpen = repo.git('rev-parse', 'refs/tasks/main')
  outputOf(repo.gza('done', '1'))
  expect(repo.gza('add', 'first child', '--parent', '1').stderr).toContain(WARNING)

  const { code, stderr } = withMovingGit(repo, whileOpen).gza('add', 'second child', '--parent', '1')
  // The ledger lost the first child to that move: this is the only other warning.
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Warning: \S+ no longer contains .*\n$/) })
  expect(outputOf(repo.gza('list'))).toContain('second child')
  expect(outputOf(repo.gza('list'))).not.toContain('first child')
})
