/** Git waits for a pipe that has the name of a file which it reads in a tree. gza must not wait with it. */
import { expect, test } from 'bun:test'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from './isolated-repo.ts'

const PIPES =
  'for each in .gitignore .gitattributes sub/.gitignore sub/.gitattributes; do rm -f $each; mkfifo $each; done'

/** A gza that hangs is ended, and fails the test. */
function work(repo: IsolatedRepo, ...flags: string[]) {
  return repo.run(['timeout', '60', ...repo.commandLine('work', '--all', ...flags)])
}

for (const level of LEVELS)
  test(`${level}: pipes that an agent and a check leave where git reads are removed, and the work lands`, () => {
    const repo = anIsolatedRepo(
      level,
      { else: `commit sub/a.txt a; ${PIPES}; save left.txt left` },
      {
        files: { 'sub/given.txt': 'given\n' },
        config: { land: 'merge', verify: { command: `${PIPES}; test -s README.md` } },
      },
    )
    repo.add('One')
    const { code, stdout, stderr } = work(repo)
    expect(code, stdout + stderr).toBe(0)
    expect(repo.git('ls-tree', '-r', '--name-only', 'main')).toContain('left.txt\nsub/a.txt\nsub/given.txt')
    expectNothingLeft(repo)
  })

test('a pipe that an agent makes while it works does not stop gza', () => {
  const [level = 'unshare'] = LEVELS
  const repo = anIsolatedRepo(level, {
    One: 'mkfifo .gitignore; touch "$beside/made"; until [ -e "$beside/third" ]; do sleep 0.1; done; commit one.txt 1',
    Two: 'until [ -e "$beside/made" ]; do sleep 0.1; done; commit two.txt 2',
    Three: 'touch "$beside/third"; commit three.txt 3',
  })
  for (const title of ['One', 'Two', 'Three']) repo.add(title, '--files-to-create', `${title.toLowerCase()}.txt`)
  const { code, stdout, stderr } = work(repo, '--workers', '2')
  expect(code, stdout + stderr).toBe(0)
  expect(repo.statuses()).toEqual({ One: 'completed', Two: 'completed', Three: 'completed' })
  expectNothingLeft(repo)
})

/** Files of a git folder that git reads before or while it looks at a tree or its commits. */
const GIT_PIPES = [
  'd=$(git rev-parse --absolute-git-dir); mkdir -p "$d/info" "$d/objects/aa" "$d/logs/refs/heads"',
  'for each in shallow info/exclude info/attributes info/sparse-checkout info/grafts index.lock objects/info/commit-graph',
  'do mkdir -p "$d/$(dirname $each)"; rm -rf "$d/$each"; mkfifo "$d/$each"; done',
  'mkfifo "$d/objects/aa/$(printf %038d 0)"',
].join('\n')

for (const level of LEVELS)
  test(`${level}: pipes in the private git folder are removed, and the work lands`, () => {
    const repo = anIsolatedRepo(
      level,
      { else: `commit a.txt a; ${GIT_PIPES}; save left.txt left` },
      { config: { land: 'merge', verify: { command: 'true' } } },
    )
    repo.add('One')
    const { code, stdout, stderr } = work(repo)
    expect(code, stdout + stderr).toBe(0)
    expect(repo.git('ls-tree', '-r', '--name-only', 'main')).toBe('README.md\na.txt\ngza.yaml\nleft.txt')
    expectNothingLeft(repo)
  })
