/** Landlock cannot mount: while an agent works, `.git` of its worktree leads to its private git folder. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LINK_STEPS } from '../../../src/core/run/named-steps.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from './isolated-repo.ts'

/** Says where it is, and waits until the test has looked. */
const WAIT =
  'pwd >"$beside/at.part" && mv "$beside/at.part" "$beside/at"; until [ -e "$beside/go" ]; do sleep 0.02; done'

/** A program that a git of gza must not run. */
const PLANTED = `printf '#!/bin/sh\\necho ran >>"%s/ran"\\n' "$beside" >"$beside/planted"; chmod +x "$beside/planted"`

const REPLACED: Record<string, string> = {
  'is removed': 'rm .git',
  'is a pipe': 'rm .git; mkfifo .git',
  'is a link to a file of the person': 'rm .git; ln -s "$beside/../repo/README.md" .git',
  'is a link into the real repository': 'rm .git; ln -s "$beside/../repo/.git" .git',
  'leads to a repository with programs': `${PLANTED}
    git init -q "$TMPDIR/evil"; git -C "$TMPDIR/evil" config core.fsmonitor "$beside/planted"
    git -C "$TMPDIR/evil" config filter.x.clean "$beside/planted"; echo '* filter=x' >"$TMPDIR/evil/.git/info/attributes"
    echo "gitdir: $TMPDIR/evil/.git" >.git`,
  'is a repository with commits of its own': `${PLANTED}
    rm .git; git init -q .; git commit -q --allow-empty -m elsewhere; git config core.fsmonitor "$beside/planted"`,
}

async function withAgentAt(repo: IsolatedRepo, look: (worktree: string) => void): Promise<void> {
  repo.add('One')
  const work = spawnProgram(repo, repo.commandLine('work', '1'))
  await until(() => existsSync(repo.beside('at')))
  look(readFileSync(repo.beside('at'), 'utf8').trim())
  writeFileSync(repo.beside('go'), '')
  expect(await work.ended, work.printed()).toEqual({ code: 0, signal: null })
}

function leftBeside(worktree: string): string[] {
  const names = existsSync(dirname(worktree)) ? readdirSync(dirname(worktree)) : []
  return names.map((name) => join(dirname(worktree), name))
}

if (LEVELS.includes('landlock')) {
  for (const [what, act] of Object.entries(REPLACED))
    test(`if .git ${what}, gza does not follow it, and the work arrives`, async () => {
      const repo = anIsolatedRepo('landlock', { One: `commit a.txt a; save left.txt left; ${act}; ${WAIT}` })
      let at = ''
      await withAgentAt(repo, (worktree) => {
        at = worktree
        // Another gza looks which files the first run has changed.
        repo.add('Two')
        expect(outputOf(repo.work('2'))).toContain('✓ Task #2 completed')
        expect(existsSync(repo.beside('ran'))).toBe(false)
      })
      expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', isolation: 'landlock' }])
      expect(repo.git('diff', '--name-only', `main...${repo.task('1').branch}`)).toBe('a.txt\nleft.txt')
      expect(existsSync(repo.beside('ran'))).toBe(false)
      expect(readFileSync(join(repo.dir, 'README.md'), 'utf8')).toBe('hello\n')
      const kept = leftBeside(at)
      expect(kept).toEqual(what.endsWith('of its own') ? [`${at}.replaced-git`] : [])
      if (kept[0]) expect(repo.run(['git', `--git-dir=${kept[0]}`, 'log', '--format=%s']).stdout).toBe('elsewhere\n')
      if (kept[0]) expect(JSON.stringify(repo.task('1').notes)).toContain(kept[0])
      expectNothingLeft(repo)
    })

  test('meanwhile a person’s gza in that worktree says where to go, and git there is the agent’s', async () => {
    const repo = anIsolatedRepo('landlock', { One: `commit a.txt a; ${WAIT}` })
    await withAgentAt(repo, (worktree) => {
      const { code, stderr } = repo.run([...repo.commandLine('list')], { cwd: worktree })
      expect(code).toBe(1)
      expect(stderr).toContain('An agent that Landlock holds works in')
      expect(repo.run(['git', 'log', '-1', '--format=%s'], { cwd: worktree }).stdout).toBe('One: a.txt\n')
      expect(repo.git('log', '-1', '--format=%s', repo.task('1').branch ?? '')).toBe('first')
    })
    expectNothingLeft(repo)
  })

  for (const step of LINK_STEPS)
    test(`after kill -9 at ${step} the next gza puts the link back and continues`, () => {
      const repo = anIsolatedRepo('landlock', { One: 'commit "$(ls | wc -l).txt" a' })
      repo.add('One')
      expect(repo.run(repo.commandLine('work', '1'), { env: { GZA_CRASH_AT: step } }).code).toBe(137)
      const [worktree = ''] = repo.worktrees()
      const link = readFileSync(join(worktree, '.git'), 'utf8')
      expect(link.includes('/gza/private/')).toBe(step === 'led-away')
      expect(outputOf(repo.work('1'))).toContain('✓ Task #1 completed')
      expect(repo.task('1').runs).toMatchObject([{ outcome: 'interrupted' }, { outcome: 'completed' }])
      expectNothingLeft(repo)
    })
}
