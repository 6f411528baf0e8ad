import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { outputOf } from '../../support/ledger-answers.ts'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { hostileTable, OPEN, REFUSED, tryAll } from './hostile-cases.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS, type RunLevel } from './isolated-repo.ts'

const OTHER = `
git branch --show-current >"$beside/branch"
commit other.txt other
pwd >"$beside/other.part" && mv "$beside/other.part" "$beside/other"
until [ -e "$beside/tried" ]; do sleep 0.05; done
`

const SECRETS = {
  '.ssh/id_ed25519': 'SECRET-SSH',
  '.netrc': 'SECRET-NETRC',
  '.config/gh/hosts.yml': 'SECRET-GH',
  '.claude/.credentials.json': 'LOGIN',
}

function aTarget(level: RunLevel): IsolatedRepo {
  const files = { '.husky/pre-push': '#!/bin/sh\n' }
  const acts = { Hostile: tryAll([...REFUSED, ...OPEN]), Other: OTHER }
  const repo = anIsolatedRepo(level, acts, { files, env: { VAULT_PASSWORD: 'SECRET-VAULT' } })
  for (const [name, text] of Object.entries(SECRETS)) {
    const path = join(repo.env.HOME ?? '', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${text}\n`)
  }
  repo.git('config', '--global', 'include.path', '~/.included')
  writeFileSync(join(repo.env.HOME ?? '', '.included'), '[advice]\n\tdetachedHead = false\n')
  repo.git('branch', 'precious')
  repo.git('tag', 'release')
  repo.write('README.md', 'stashed\n')
  repo.git('stash')
  repo.git('init', '--quiet', '--bare', repo.beside('../remote.git'))
  repo.git('remote', 'add', 'origin', repo.beside('../remote.git'))
  repo.git('push', '--quiet', 'origin', 'main')
  writeFileSync(repo.beside('precious'), repo.git('rev-parse', 'precious'))
  return repo
}

/** What must be as it was: files that no run of gza writes, and every ref besides tasks and ledgers. */
function facts(repo: IsolatedRepo): Record<string, string> {
  const home = repo.env.HOME ?? ''
  const read = (...names: string[]): string => readFileSync(join(...names), 'utf8')
  return {
    config: read(repo.dir, '.git/config'),
    // gza itself adds its own folder.
    exclude: read(repo.dir, '.git/info/exclude').replace(/^.*\.gza.*\n/gm, ''),
    hooks: readdirSync(join(repo.dir, '.git/hooks')).sort().join(),
    husky: read(repo.dir, '.husky/pre-push'),
    readme: read(repo.dir, 'README.md'),
    head: read(repo.dir, '.git/HEAD'),
    gitconfig: read(home, '.gitconfig'),
    included: read(home, '.included'),
    settings: read(home, '.config/gza/config.yaml'),
    refs: repo.git('for-each-ref', 'refs/heads/main', 'refs/heads/precious', 'refs/tags', 'refs/stash', 'refs/replace'),
    remote: repo.git('ls-remote', 'origin'),
  }
}

async function listenOn(repo: IsolatedRepo): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  writeFileSync(repo.beside('port'), String(typeof address === 'object' ? address?.port : address))
  return server
}

/** As an editor of the person does, which runs what it is sent. */
async function serveAt(path: string): Promise<Server> {
  mkdirSync(dirname(path), { recursive: true })
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return server
}

function openAt(level: RunLevel): string[] {
  const open = level === 'landlock' ? REFUSED.filter(({ landlock }) => landlock === 'open') : []
  return [...open, ...OPEN].map(({ id }) => id)
}

for (const level of LEVELS) {
  test(`${level}: a hostile agent gets only what is listed as open, and its task completes`, async () => {
    const repo = aTarget(level)
    const server = await listenOn(repo)
    const editor = await serveAt(join(repo.env.HOME ?? '', '.emacs.d/server/server'))
    repo.add('Hostile')
    repo.add('Other')
    const before = facts(repo)
    const work = spawnProgram(repo, repo.commandLine('work', '--all', '--workers', '2'))
    writeFileSync(repo.beside('gza.part'), `${work.process.pid}\n`)
    renameSync(repo.beside('gza.part'), repo.beside('gza.pid'))
    expect(await work.ended, work.printed()).toEqual({ code: 0, signal: null })
    server.close()
    editor.close()
    expect(readFileSync(repo.beside('worked'), 'utf8').trim().split('\n')).toEqual(openAt(level))
    expect(facts(repo)).toEqual(before)
    expect(repo.statuses()).toEqual({ Hostile: 'completed', Other: 'completed' })
    for (const [number, file] of [
      ['1', 'work.txt'],
      ['2', 'other.txt'],
    ] as const) {
      const { branch, runs } = repo.task(number)
      expect(runs).toMatchObject([{ outcome: 'completed', isolation: level }])
      expect(repo.git('diff', '--name-only', `main...${branch}`)).toBe(file)
    }
    expect(repo.inbox()).toEqual([])
    expect(outputOf(repo.gza('verify'))).toContain('main: ok')
    expectNothingLeft(repo)
  })
}

test('docs/security.md has a row for each of these attacks, and a column for each level', () => {
  expect(readFileSync(join(import.meta.dir, '../../../docs/security.md'), 'utf8')).toContain(hostileTable())
})
