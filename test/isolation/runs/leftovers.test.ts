/** What agents leave uncommitted is committed in their box, with the same result as without one. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { keeps } from '../../../src/core/isolation/promises.ts'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import {
  anIsolatedRepo,
  expectNothingLeft,
  type IsolatedRepo,
  LEVELS,
  type RunLevel,
  setIsolation,
  WITHOUT_BOXES,
} from './isolated-repo.ts'

/** Says whose it is and where it runs: at each level a process gets no new privileges. */
const CLEAN = `#!/bin/sh
whose=person
if grep -q 'NoNewPrivs:.*1' /proc/self/status; then where=inside; else where=outside; fi
echo "$whose $where" >>"$WITNESSES"
tr a-z A-Z
`

const FILES = {
  '.gitignore': 'ignored*\n',
  '.gitattributes': '*.up filter=up\n*.no filter=no\n',
  'clean.sh': CLEAN,
  'a.txt': 'one\n',
  'gone.txt': 'x\n',
  'name.txt': 'named\n',
  'kept.up': 'KEPT\n',
}

/** Changed, new, staged, renamed, removed, linked, executable and hidden files, and a filter of its own. */
const LEAVES = `
sed -i s/whose=person/whose=agent/ clean.sh
echo changed >a.txt; rm gone.txt; git mv name.txt renamed.txt; save "new/deep file.txt" new
save staged.txt staged; git add staged.txt; echo again >staged.txt
save ignored-staged.txt forced; git add -f ignored-staged.txt; save ignored.txt out
ln -s a.txt link; save run.sh '#!/bin/sh'; chmod +x run.sh; save upper.up upper
echo more >>kept.up; git update-index --assume-unchanged kept.up`

const ACTS = {
  Completes: LEAVES,
  Commits: `commit first.up first; ${LEAVES}`,
  Staged: 'commit first.txt first; save ignored.txt forced; git add -f ignored.txt',
  Fails: `commit first.txt first; ${LEAVES}; exit 3`,
  Asks: `${LEAVES}; gza ask "$task" 'Which one?'`,
  Refused: `${LEAVES}
save .env TOKEN=1; git add .env; head -c 6000000 /dev/zero >big.bin
git init -q vendor/own && git -C vendor/own commit -q --allow-empty -m own; save broken.no text`,
  Committed: `[ -e "$beside/again" ] && { commit end.txt end; exit; }; commit first.txt first; ${LEAVES}; touch "$beside/again"; forever`,
  Killed: `[ -e "$beside/again" ] && { commit end.txt end; exit; }; ${LEAVES}; touch "$beside/again"; forever`,
}

function aRepoWithFilters(level: RunLevel | 'off', attempts = 1): IsolatedRepo {
  const repo = anIsolatedRepo(level, ACTS, { files: FILES, defaults: { max_attempts: attempts } })
  repo.git('config', 'filter.up.clean', 'sh ./clean.sh')
  repo.git('config', 'filter.no.clean', 'no-such-program')
  repo.git('config', 'filter.no.required', 'true')
  const env = { WITNESSES: repo.beside('witnesses') }
  return { ...repo, ...repo.withEnv(env), work: (...args) => repo.run(repo.commandLine('work', ...args), { env }) }
}

const TITLES = ['Completes', 'Commits', 'Staged', 'Fails', 'Asks', 'Refused']

/** What became of each task. */
function keptOf(level: RunLevel | 'off') {
  const repo = aRepoWithFilters(level)
  for (const title of TITLES) repo.add(title)
  repo.work('--all', '--workers', '3')
  const kept = TITLES.map((title, at) => {
    const { branch, runs } = repo.task(String(at + 1))
    const [run] = runs
    return {
      title,
      run: { outcome: run?.outcome, reason: run?.reason, detail: run?.detail },
      diff: repo.git('diff-tree', '-r', '--no-renames', 'main', branch ?? 'HEAD').split('\n'),
      subjects: repo.git('log', '--format=%s|%an', `main..${branch}`).split('\n'),
    }
  })
  return { repo, kept }
}

/** Nothing, if no filter has run: whether git needs one to know that a file is unchanged depends on the file's age. */
const witnesses = (repo: IsolatedRepo): string =>
  existsSync(repo.beside('witnesses')) ? readFileSync(repo.beside('witnesses'), 'utf8') : ''

test('what agents left is kept in a box as without one, and none of their filters runs outside', () => {
  const plain = keptOf('off')
  expect(witnesses(plain.repo)).toContain('agent outside')
  expect(plain.kept.find(({ title }) => title === 'Staged')?.diff.join()).toContain('ignored.txt')
  for (const level of LEVELS) {
    const { repo, kept } = keptOf(level)
    expect(kept).toEqual(plain.kept)
    expect(witnesses(repo)).toContain('agent inside')
    expect(witnesses(repo)).not.toContain('agent outside')
    expect(repo.worktrees().map((path) => path.replace(/.*\d+-/, ''))).toEqual(['refused'])
  }
})

async function killed(repo: IsolatedRepo, level: RunLevel, title: string): Promise<void> {
  repo.add(title)
  const work = spawnProgram(repo, repo.commandLine('work', '1'))
  await until(() => existsSync(repo.beside('again')))
  work.process.kill('SIGKILL')
  await work.ended
  if (keeps(level, 'diesWithGza')) await until(() => repo.survivors().length === 0)
}

test('after a kill -9 on a machine that has no box any more, nothing of it runs, and doctor names it', async () => {
  const repo = aRepoWithFilters('bubblewrap')
  setIsolation(repo, 'required')
  await killed(repo, 'bubblewrap', 'Committed')
  expect(repo.run([...WITHOUT_BOXES, ...repo.commandLine('work', '1')]).stderr).toContain(
    'this machine can make no box',
  )
  const found = JSON.parse(repo.run([...WITHOUT_BOXES, ...repo.commandLine('doctor', '--json')]).stdout)
  const named = found.filter(({ name }: { name: string }) => name === 'private git')
  expect(named).toMatchObject([{ state: 'warn' }])
  expect(repo.worktrees()).toHaveLength(1)
  expect(witnesses(repo)).not.toContain('agent outside')
  expect(repo.work('1').code).toBe(0)
  expect(repo.git('log', '--format=%s', `main..${repo.task('1').branch}`)).toBe(
    'Committed: end.txt\nWIP: Committed (interrupted)\nCommitted: first.txt',
  )
  expectNothingLeft(repo)
})

for (const level of LEVELS) {
  test(`${level}: after a kill -9 of gza, what was left is committed in a box`, async () => {
    const repo = aRepoWithFilters(level, 3)
    await killed(repo, level, 'Killed')
    const { code, stdout, stderr } = repo.work('1')
    expect(code, stdout + stderr).toBe(0)
    const { branch } = repo.task('1')
    expect(repo.git('log', '--format=%s', `main..${branch}`)).toBe('Killed: end.txt\nWIP: Killed (interrupted)')
    expect(repo.git('show', `${branch}:upper.up`)).toBe('UPPER')
    expect(witnesses(repo)).toContain('agent inside')
    expect(witnesses(repo)).not.toContain('agent outside')
    expectNothingLeft(repo)
  })
}
