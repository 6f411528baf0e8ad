/** Writes while git tidies up the same repository, at worst between a write's objects and its ref. */
import { expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { exportedTasks, outputOf } from '../../support/ledger-answers.ts'
import { aRepo, type Repo } from '../../support/repo.ts'
import { until } from '../../support/until.ts'

const ROOM = 300_000
const ROUNDS = 8
const WRITERS = 3

/** The repository seen through a `git` that does something else first, whenever refs are to be moved. */
function beforeUpdateRef(repo: Repo, script: string): Repo {
  const folder = join(repo.dir, '..')
  const git = Bun.which('git', { PATH: repo.env.PATH as string })
  const once = `case " $* " in *" update-ref "*) ( git=${git}; ${script} ) >/dev/null 2>&1 ;; esac`
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${once}\nexec ${git} "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  return repo.withEnv({ PATH: [folder, repo.env.PATH].join(delimiter) })
}

function packsOf(repo: Repo, suffix: string): string[] {
  return readdirSync(join(repo.dir, '.git/objects/pack')).filter((name) => name.endsWith(suffix))
}

function expectSound(repo: Repo, contents: string[]): void {
  expect(exportedTasks(repo).map(({ content }) => content)).toEqual(contents)
  expect(repo.git('fsck', '--strict', '--full')).toBe('')
  expect(outputOf(repo.gza('verify'))).toStartWith('main: ok')
  expect(packsOf(repo, '.keep')).toEqual([])
}

test('objects that git prunes before the ref moves are written again', () => {
  const repo = aRepo()
  outputOf(repo.gza('add', 'first'))
  outputOf(beforeUpdateRef(repo, '$git prune --expire=now').gza('add', 'second'))
  expectSound(repo, ['first', 'second'])
})

test('a file that git prunes before the ref moves is written again, although the commit is there', () => {
  const repo = aRepo()
  outputOf(repo.gza('add', 'first'))
  const prune = `for each in .git/objects/??/*; do
    name=$(echo $each | sed 's,.*objects/\\(..\\)/,\\1,')
    if [ "$($git cat-file -t $name)" = blob ] && $git cat-file -p $name | grep -q second; then rm -f $each; fi
  done`
  outputOf(beforeUpdateRef(repo, prune).gza('add', 'second'))
  expectSound(repo, ['first', 'second'])
})

test('while a git gc is at work, objects are also in a pack: it removes none that came after its start', () => {
  const repo = aRepo()
  outputOf(repo.gza('add', 'first'))
  const file = join(repo.dir, '.git/gc.pid')
  const host = repo.run(['hostname']).stdout.trim()
  writeFileSync(file, `${process.pid} ${host}`)
  outputOf(repo.gza('add', 'second'))
  expect(packsOf(repo, '.pack')).toHaveLength(1)
  expectSound(repo, ['first', 'second'])

  // One that was killed has left its file.
  writeFileSync(file, `${2 ** 22 + 1} ${host}`)
  outputOf(repo.gza('add', 'third'))
  expect(packsOf(repo, '.pack')).toHaveLength(1)
})

test(
  `writers beside ${ROUNDS} rounds of git gc --prune=now and git repack -ad lose nothing`,
  async () => {
    const repo = aRepo()
    outputOf(repo.gza('add', 'first'))
    const [rounds, end] = [join(repo.dir, '../rounds'), join(repo.dir, '../end')]
    const loop = `while [ ! -e ${end} ]; do
      git gc --quiet --prune=now && git repack -a -d -q && echo round >> ${rounds} || exit 1
    done`
    const tidying = repo.start(['sh', '-c', loop])
    const count = () => (existsSync(rounds) ? readFileSync(rounds, 'utf8').split('\n').length - 1 : 0)
    await until(() => count() > 0)
    const last = count() + ROUNDS
    const written = await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const contents: string[] = []
        while (count() < last) {
          contents.push(`task ${contents.length} of ${writer}`)
          outputOf(await repo.start(['gza', 'add', contents.at(-1) as string]))
        }
        return contents
      }),
    )
    writeFileSync(end, '')
    expect(await tidying).toMatchObject({ code: 0 })
    expect(
      exportedTasks(repo)
        .map(({ content }) => content)
        .sort(),
    ).toEqual(['first', ...written.flat()].sort())
    expectSound(
      repo,
      exportedTasks(repo).map(({ content }) => content),
    )
  },
  ROOM,
)
