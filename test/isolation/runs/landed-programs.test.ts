/** Programs of the tree, as agents have changed them, during landings and whatever follows them. Outside, none runs. */
import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import { isBox } from '../../../src/core/isolation/levels.ts'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { answerOf, openServed } from '../../web/served-page.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from './isolated-repo.ts'
import { expectNothingRanOutside, WITNESS, witnessed } from './witnessed.ts'

const [LEVEL = 'unshare'] = LEVELS

const WORK = (name: string) => `
sed -i s/whose=person/whose=agent/ .witness.sh; git commit -qam 'another program ${name}'
echo ${name} >>list.txt; git commit -qam 'a line'; commit ${name}.txt ${name}`

/** The last two are green alone and red together, so that the batch is bisected. */
const NAMES = ['one', 'two', 'four', 'five']

function aBatch(): IsolatedRepo {
  const files = {
    ...{ '.witness.sh': WITNESS, '.gitattributes': '*.txt filter=w diff=w\nlist.txt merge=w\n' },
    ...{ 'list.txt': 'start\n', 'given.txt': 'given\n' },
  }
  const command = 'grep "^smudged inside: " given.txt && ! { test -e four.txt && test -e five.txt; }'
  const acts = Object.fromEntries(NAMES.map((name) => [name, WORK(name)]))
  return anIsolatedRepo(LEVEL, acts, { files, config: { verify: { command } } })
}

for (const method of ['merge', 'squash', 'cherry-pick'])
  test(`${method}: a batch that is bisected, the checkout that follows, diffs, prune and removal run nothing outside`, async () => {
    const repo = aBatch()
    const socket = mkdtempSync(join(tmpdir(), 'gza-test-'))
    const person = witnessed(repo, isBox(LEVEL) ? { IN_TMP: socket } : {})
    for (const name of NAMES) repo.add(name)
    person.gza('work', '--all', '--workers', '2')
    person.tryGza('merge', '--all', `--${method}`)
    expect(Object.values(repo.statuses()).filter((status) => status === 'completed')).toHaveLength(NAMES.length - 1)
    // As the checkout of the person was written.
    expect(readFileSync(join(repo.dir, 'one.txt'), 'utf8')).toBe('smudged inside: one\n')
    expect(repo.git('show', 'main:list.txt')).toContain('driven inside')
    for (const args of [['show', '1'], ['diff', '1'], ['diff', '4'], ['queue'], ['status'], ['prune', '--dry-run']])
      person.gza(...args)
    const page = await openServed(repo, ['web', '--no-open'])
    const bearer = await page.signIn()
    const id = await page.repository(bearer)
    const { value } = await answerOf(page.get(`/api/r/${id}/tasks/4/diff`, bearer))
    expect(JSON.stringify(value)).toContain('five.txt')
    await page.stop()
    expectNothingRanOutside(person)
    expect(person.witnesses().filter((line) => / (outside|beside) /.test(line) && line.startsWith('agent'))).toEqual([])
    rmSync(socket, { recursive: true })
    expectNothingLeft(repo)
  })

/**
 * What a filter in a box can see of the text in which its command is passed, it keeps in a file. An agent then commits a
 * file whose name ends that text.
 */
const LEARN = `#!/bin/sh
env | grep -o 'gza-[0-9a-f]*' | sort -u | sed 's/^/end: /'; cat
`

test('a filter that knows how its command is passed cannot make a later one run outside', () => {
  const mark = '"$HOME/.ssh/mark"'
  const name = `x\n$end\ntouch ${mark}\n: `
  const repo = anIsolatedRepo(
    LEVEL,
    {
      Learn: 'cp learn.sh .filter.sh; git commit -qam learn; commit a.txt a',
      Use: `for end in $(sed -n 's/^end: //p' given.txt); do save "${name.replaceAll('"', '\\"')}" x; done
        git add -A; git commit -qm use; touch "$beside/used"; commit b.txt b`,
    },
    {
      files: { '.filter.sh': 'cat\n', 'learn.sh': LEARN, '.gitattributes': '* -filter\n', 'given.txt': 'given\n' },
      config: { land: 'merge' },
    },
  )
  repo.commit('filtered', { '.gitattributes': 'given.txt filter=w\nmark* filter=w\n' })
  repo.git('config', 'filter.w.smudge', 'sh ./.filter.sh %f')
  repo.git('config', 'filter.w.clean', "sed '/^end: /d'")
  repo.run(['mkdir', join(repo.env.HOME ?? '', '.ssh')])
  repo.add('Learn')
  repo.add('Use', '--after', '1')
  const { code, stdout, stderr } = repo.work('--all', '--workers', '1')
  expect(code, stdout + stderr).toBe(0)
  expect(existsSync(repo.beside('used'))).toBe(true)
  expect(existsSync(join(repo.env.HOME ?? '', '.ssh/mark'))).toBe(false)
})

const PLANTED = `#!/bin/sh
touch "$HOME/.ssh/mark"; exec /usr/bin/git "$@"
`

test('a folder of the tree on PATH, and a program that the agent puts on PATH, are not used by gza', () => {
  const repo = anIsolatedRepo(LEVEL, {
    else: 'mkdir -p bin "$HOME/bin"; cp "$beside/planted" bin/git; cp "$beside/planted" "$HOME/bin/git"; git add -f bin; git commit -qm bin; commit a.txt a; save left.txt left',
  })
  writeFileSync(repo.beside('planted'), PLANTED)
  chmodSync(repo.beside('planted'), 0o755)
  repo.run(['mkdir', join(repo.env.HOME ?? '', '.ssh'), join(repo.env.HOME ?? '', 'bin')])
  repo.add('One')
  const person = repo.withEnv({ PATH: `./bin:bin:${repo.env.HOME}/bin:${repo.env.PATH}` })
  const { code, stdout, stderr } = person.run(repo.commandLine('work', '--all'))
  expect(code, stdout + stderr).toBe(0)
  expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', isolation: LEVEL }])
  expect(existsSync(join(repo.env.HOME ?? '', '.ssh/mark'))).toBe(false)
})

/** A file whose content only a server has. */
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'1'.repeat(64)}\nsize 5\n`

function aLfsRepo(act: string): IsolatedRepo {
  const files = { 'tool.sh': 'exit 1\n', '.gitattributes': '*.bin filter=lfs\n', 'far.bin': POINTER }
  const repo = anIsolatedRepo(LEVEL, { else: act }, { files, defaults: { max_attempts: 2 } })
  repo.run(['mkdir', join(repo.env.HOME ?? '', '.ssh')])
  repo.git('config', 'filter.lfs.process', 'git-lfs filter-process')
  repo.git('config', 'filter.lfs.required', 'true')
  repo.git('config', 'lfs.skipdownloaderrors', 'true')
  repo.git('config', 'lfs.transfer.maxretries', '1')
  return repo
}

if (isHere(TOOLS.lfs)) {
  test('a program of the tree that helps git-lfs to fetch does not run outside', () => {
    const repo = aLfsRepo(
      'cp "$beside/planted" tool.sh; git commit -qam tool; [ -e "$beside/second" ] || { touch "$beside/second"; exit 3; }',
    )
    writeFileSync(repo.beside('planted'), PLANTED)
    repo.git('remote', 'add', 'origin', 'ssh://git@127.0.0.1:1/x.git')
    repo.git('config', 'core.sshCommand', 'sh ./tool.sh')
    repo.add('One')
    const { code, stdout, stderr } = repo.work('--all')
    expect(code, stdout + stderr).toBe(0)
    expect(repo.calls()).toHaveLength(2)
    expect(existsSync(join(repo.env.HOME ?? '', '.ssh/mark'))).toBe(false)
  })

  test('git-lfs outside asks no address that an agent has committed', async () => {
    let asked = 0
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => {
        asked += 1
        return new Response('', { status: 404 })
      },
    })
    const repo = aLfsRepo(
      `git config -f .lfsconfig lfs.url http://127.0.0.1:${server.port}/; git add .lfsconfig; git commit -qm lfs; commit a.txt a; [ -e "$beside/second" ] || { touch "$beside/second"; exit 3; }`,
    )
    repo.git('remote', 'add', 'origin', `http://127.0.0.1:1/x.git`)
    repo.add('One')
    const work = await spawnProgram(repo, repo.commandLine('work', '--all')).ended
    server.stop(true)
    expect(work.code).toBe(0)
    expect(repo.calls()).toHaveLength(2)
    expect(asked).toBe(0)
  })
}
