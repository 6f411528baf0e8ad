/** A remote that takes some ledgers and not others: everything that can be exchanged is, and the rest is named. */
import { expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { add, contents, gza, tipOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'

test('ledgers that a hook refuses are named with the server’s words, and so are those that went through', () => {
  const { origin, ann } = aTeam()
  refuse(origin, 'refs/tasks/secret')
  add(ann, 'open to all')
  add(ann, 'not here', '--branch', 'secret')
  expect(ann.gza('sync')).toEqual({
    code: 1,
    stdout: 'main: pushed to origin (1 task)\nsecret: rejected by origin (1 task)\n',
    stderr:
      'Warning: origin printed: secret may not be published\n' +
      'Warning: origin rejected secret (hook declined). Nothing is lost, and what was fetched is joined. ' +
      'The owner of origin decides who may push refs/tasks/*; then run gza sync again\n',
  })
  expect([tipOf(origin), ledgersOf(origin)]).toEqual([tipOf(ann), ['main']])
  add(ann, 'more')
  const json = ann.gza('sync', '--json')
  expect([json.code, JSON.parse(json.stdout)]).toEqual([
    1,
    {
      remote: 'origin',
      ledgers: [
        { ledger: 'main', result: 'pushed', task_count: 2, detail: null },
        { ledger: 'secret', result: 'rejected', task_count: 1, detail: 'hook declined' },
      ],
      printed: ['secret may not be published'],
    },
  ])
})

test('of ledgers that belong together a refused one holds back the other, and both are named', () => {
  const { origin, ann } = aTeam()
  const id = add(ann, 'wanders')
  gza(ann, 'sync')
  ann.git('branch', 'secret')
  gza(ann, 'move', id, '--to', 'secret')
  refuse(origin, 'refs/tasks/secret')
  const before = tipOf(origin)
  for (const atomic of ['true', 'false']) {
    origin.git('config', 'receive.advertiseAtomic', atomic)
    expect(resultsOf(ann)).toEqual([
      ['main', 'rejected'],
      ['secret', 'rejected'],
    ])
    expect(tipOf(origin)).toBe(before)
  }
})

test('a remote that can only be read rejects every ledger, and nothing is lost', () => {
  const { origin, ann } = aTeam()
  add(ann, 'kept')
  const wrapper = ann.write('../refuse', '#!/bin/sh\necho "ERROR: Permission denied to ann." >&2\nexit 128\n')
  chmodSync(wrapper, 0o755)
  ann.git('config', 'remote.origin.receivepack', wrapper)
  const { code, stdout, stderr } = ann.gza('sync')
  expect([code, stdout]).toEqual([1, 'main: rejected by origin (1 task)\n'])
  expect(stderr).toContain('origin rejected main (ERROR: Permission denied to ann.)')
  expect([ledgersOf(origin), contents(ann)]).toEqual([[], ['kept']])
})

test('a remote that cannot move a ref, whoever pushes, rejects it with its words; the others are pushed', () => {
  const { origin, ann } = aTeam()
  add(ann, 'stuck')
  add(ann, 'fine', '--branch', 'other')
  origin.write('refs/tasks/main.lock', '')
  const { code, stdout, stderr } = ann.gza('sync')
  expect([code, stdout]).toEqual([1, 'main: rejected by origin (1 task)\nother: pushed to origin (1 task)\n'])
  expect(stderr).toContain('main.lock')
})

test('sync --branch exchanges that ledger alone, and after a move the one with the moved tasks', () => {
  const { origin, ann } = aTeam()
  const id = add(ann, 'on one', '--branch', 'one')
  add(ann, 'on two', '--branch', 'two')
  add(ann, 'private', '--branch', 'three')
  expect(gza(ann, 'sync', '--branch', 'two')).toBe('two: pushed to origin (1 task)')
  expect(ledgersOf(origin)).toEqual(['two'])
  for (const branch of ['one', 'two']) ann.git('branch', branch)
  gza(ann, 'move', id, '--from', 'one', '--to', 'two')
  expect(gza(ann, 'sync', '--branch', 'one').split('\n')).toEqual([
    'one: pushed to origin (1 task)',
    'two: pushed to origin (2 tasks)',
  ])
  expect(ledgersOf(origin)).toEqual(['one', 'two'])
  expect(ann.gza('sync', '--branch', 'four')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Error: There are no tasks of four, here or on origin\n  gza sync exchanges'),
  })
})

test('a ledger that was archived on the remote is not pushed again by other clones, unless someone continues it', () => {
  const { origin, ann } = aTeam()
  const ben = origin.clone()
  add(ann, 'over', '--branch', 'gone')
  for (const repo of [ann, ben]) gza(repo, 'sync')
  gza(ann, 'prune', '--remote', '--archive-open')
  expect(gza(ben, 'sync')).toBe('gone: archived on origin (1 task)')
  expect(ledgersOf(origin)).toEqual([])
  add(ben, 'not over', '--branch', 'gone')
  expect(gza(ben, 'sync')).toBe('gone: pushed to origin (2 tasks)')
})

test('a ledger of a gone branch that is in the way on the remote is archived on request, and its open tasks move', () => {
  const { origin, ann } = aTeam()
  const ben = origin.clone()
  add(ann, 'of the old feature', '--branch', 'feature')
  gza(ann, 'sync')
  ben.git('branch', 'feature/x')
  add(ben, 'below it', '--branch', 'feature/x')
  expect(ben.gza('sync')).toMatchObject({ code: 1, stderr: expect.stringContaining('gza prune --remote archives') })
  expect(ben.gza('prune', '--remote')).toMatchObject({ code: 1, stdout: 'feature: kept (1 open task)\n' })
  expect([ledgersOf(ben), ledgersOf(origin)]).toEqual([['feature/x'], ['feature']])
  expect(gza(ben, 'prune', '--remote', '--move-to', 'main').split('\n')).toEqual([
    'feature: archived as refs/tasks-archive/feature (1 open task, moved to main on hold)',
    'feature: archived on the remote',
  ])
  expect(gza(ben, 'sync').split('\n')).toEqual([
    'feature/x: pushed to origin (1 task)',
    'main: the same as on origin (1 task)',
  ])
  expect([ledgersOf(ben), ledgersOf(origin)]).toEqual([
    ['feature/x', 'main'],
    ['feature/x', 'main'],
  ])
  expect(contents(ben)).toEqual(['of the old feature'])
  expect([ben.gza('verify', '--all-branches').code, ben.gza('doctor').stdout]).toEqual([
    0,
    expect.not.stringContaining('missing'),
  ])
})

test('a sync without news starts the same few processes, however many ledgers there are', () => {
  const { origin, ann } = aTeam()
  const ben = origin.clone()
  const names = Array.from({ length: 20 }, (_, i) => `branch-${i}`)
  add(ann, 'one', '--branch', 'branch-0')
  for (const name of names) ann.git('update-ref', `refs/tasks/${name}`, tipOf(ann, 'branch-0'))
  for (const repo of [ann, ben]) gza(repo, 'sync')
  gza(ann, 'prune', '--archive-open')
  for (const repo of [ann, ben]) expect(gitCalls(repo)).toBeLessThan(names.length)
})

function aTeam(): { origin: Repo; ann: Repo } {
  const origin = aRepo({ bare: true })
  const ann = origin.clone()
  ann.commit('first')
  ann.git('push', '--quiet', 'origin', 'main')
  return { origin, ann }
}

function refuse(origin: Repo, ref: string): void {
  const script = `[ "$1" != ${ref} ] || { echo "$(basename "$1") may not be published"; exit 1; }`
  chmodSync(origin.write('hooks/update', `#!/bin/sh\n${script}\n`), 0o755)
}

function ledgersOf(repo: Repo): string[] {
  const refs = repo.git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/tasks')
  return refs.split('\n').filter(Boolean)
}

function resultsOf(repo: Repo): [string, string][] {
  const { ledgers } = JSON.parse(repo.gza('sync', '--json').stdout)
  return ledgers.map(({ ledger, result }: Record<'ledger' | 'result', string>) => [ledger, result])
}

/** How many git processes gza itself starts for a sync. */
function gitCalls(repo: Repo): number {
  const trace = repo.write('.git/trace', '')
  gza(repo.withEnv({ GIT_TRACE2_EVENT: trace }), 'sync')
  const lines = repo.run(['cat', trace]).stdout.split('\n')
  return lines.filter((line) => line.includes('"event":"start"') && !JSON.parse(line).sid.includes('/')).length
}
